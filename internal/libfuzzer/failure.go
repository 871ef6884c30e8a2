package libfuzzer

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"os"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// shownBase64 is the size in bytes up to which the content of an artifact is printed.
const shownBase64 = 256

// codeOf returns the exit code for a failure.
func codeOf(f *finding.Finding) int {
	switch f.Kind {
	case finding.Hang:
		return timedOut
	case finding.Memory:
		return outOfMemory
	}
	return crashed
}

// nameOf returns the name of the artifact of a failure: "crash", "timeout" or "oom", and the SHA-1 of its content.
func nameOf(f *finding.Finding, file []byte) string {
	kind := map[int]string{timedOut: "timeout", outOfMemory: "oom", crashed: "crash"}[codeOf(f)]
	return kind + "-" + sha1Of(file)
}

func sha1Of(file []byte) string {
	sum := sha1.Sum(file)
	return hex.EncodeToString(sum[:])
}

// report prints a failure: its output, what libFuzzer says about it, and the input as a corpus file of Go, which users can put into
// testdata.
func (u *subject) report(f *finding.Finding) {
	pid := os.Getpid()
	switch codeOf(f) {
	case timedOut:
		seconds := int(u.limit().Seconds())
		u.printf("ALARM: working on the last Unit for %d seconds\n", seconds)
		u.printf("       and the timeout value is %d (use -timeout=N to change)\n", seconds)
		u.printf("==%d== ERROR: libFuzzer: timeout after %d seconds\n", pid, seconds)
	case outOfMemory:
		u.printf("==%d== ERROR: libFuzzer: out-of-memory (%s)\n", pid, report.Line(f.Message))
	default:
		u.printf("==%d== ERROR: libFuzzer: deadly signal\n", pid)
	}
	u.printf("%s", readable(f))
	summary := map[int]string{timedOut: "timeout", outOfMemory: "out-of-memory", crashed: "deadly signal"}[codeOf(f)]
	u.printf("SUMMARY: libFuzzer: %s\n", summary)
	if f.Flaky {
		u.printf("INFO: the input does not fail each time in a process of its own\n")
	}
	text := input.Marshal(f.Input)
	u.printf("The input as testdata/fuzz/%s/%s, with which go test shows the failure:\n%s", u.name.Func, corpus.Name(text), text)
}

// keep writes the artifact of a failure and says where it is.
func (u *subject) keep(f *finding.Finding) error {
	file, err := u.file(f.Input)
	if err != nil {
		return err
	}
	path := u.exact
	if path == "" {
		path = u.prefix + nameOf(f, file)
	}
	if err := write(u.abs(path), file); err != nil {
		return err
	}
	u.printf("artifact_prefix='%s'; Test unit written to %s\n", u.prefix, path)
	if len(file) <= shownBase64 {
		u.printf("Base64: %s\n", base64.StdEncoding.EncodeToString(file))
	}
	return nil
}
