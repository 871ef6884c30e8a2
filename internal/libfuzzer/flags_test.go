package libfuzzer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestFlagsArePaths(t *testing.T) {
	f, paths, notes, err := parse([]string{
		"-runs=4", "-max_total_time=3", "-jobs=9", "-workers=2", "-merge=1", "-artifact_prefix=out/", "corpus", "-", "--fork=3", "-reload=1", "-close_fd_mask=3",
	})
	if err != nil || f.runs != 4 || f.totalTime != 3 || f.processes() != 2 || !f.merge || f.prefix != "out/" || f.fork != 0 {
		t.Errorf("the flags are %+v (%v)", f, err)
	}
	if !slices.Equal(paths, []string{"corpus", "-"}) {
		t.Errorf("the paths are %q", paths)
	}
	want := []string{
		"WARNING: --fork=3 is ignored; flags have one dash",
		"WARNING: unrecognized flag '-reload=1'; use -help=1 to list all flags",
		"INFO: -close_fd_mask has no effect: the output of the target is shown for a failure only",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("the notes are %q, want %q", notes, want)
	}
}

func TestAWrongValueIsAnErrorWithItsFlag(t *testing.T) {
	for arg, want := range map[string]string{
		"-runs=many":           "the flag -runs=many: it takes a whole number",
		"-timeout=-1":          "the flag -timeout=-1: it takes a whole number from 0 to 2147483648",
		"-rss_limit_mb=1":      "the flag -rss_limit_mb=1: it takes at least 16, or 0",
		"-rss_limit_mb=1e99":   "the flag -rss_limit_mb=1e99: it takes a whole number from 0",
		"-max_len=99999999999": "the flag -max_len=99999999999: it takes a whole number from 0",
		"-merge=yes":           "the flag -merge=yes: it takes 0 or 1",
		"-merge":               "the flag -merge: it takes 0 or 1",
	} {
		if _, _, _, err := parse([]string{arg}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}

func TestHelpNamesEachFlag(t *testing.T) {
	var b bytes.Buffer
	printHelp(&b, "/x/fuzzer", "example.com/m.FuzzX")
	for _, o := range options() {
		if !strings.Contains(b.String(), "\n "+o.name+" ") {
			t.Errorf("the help does not name -%s", o.name)
		}
	}
}

func TestTheFirstFolderIsMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	folders, files, err := sorted(dir, []string{"new/folder", "file"})
	if err != nil || !slices.Equal(folders, []string{filepath.Join(dir, "new/folder")}) || !slices.Equal(files, []string{filepath.Join(dir, "file")}) {
		t.Errorf("folders %q, files %q (%v)", folders, files, err)
	}
	if _, _, err := sorted(dir, []string{"file", "none"}); err == nil {
		t.Error("a second path that does not exist is no error")
	}
	if _, _, err := sorted("/", []string{os.DevNull}); err == nil {
		t.Error("a device is taken for a file")
	}
}

func TestOutputIsReadable(t *testing.T) {
	for _, tt := range []struct{ name, output, want string }{
		{
			"a panic that package testing has logged",
			"--- FAIL: FuzzX (0.00s)\n    testing.go:2078: panic: bug\n        goroutine 6 [running]:\n        runtime/debug.Stack()\n        \t/go/debug/stack.go:26 +0x9b\n" +
				"        panic({0x98?, 0x70?})\n        \t/go/panic.go:859 +0x125\n        example.com/m.parse({0xc0?, 0x4, 0x4})\n        \t/m/p.go:10 +0x46a\n",
			"--- FAIL: FuzzX (0.00s)\npanic: bug\ngoroutine 6 [running]:\nexample.com/m.parse({0xc0, 0x4, 0x4})\n\t/m/p.go:10 +0x46a\n",
		},
		{"no stack", "    x_test.go:7: no\n", "x_test.go:7: no\n"},
	} {
		if got := readable(&finding.Finding{Kind: finding.Panic, Output: tt.output}); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestTheNameOfAnArtifactAndTheExitCodeSayTheKind(t *testing.T) {
	for kind, want := range map[finding.Kind]struct {
		prefix string
		code   int
	}{
		finding.Panic: {"crash-", 77}, finding.Failure: {"crash-", 77}, finding.Hang: {"timeout-", 70}, finding.Memory: {"oom-", 71},
	} {
		f := &finding.Finding{Kind: kind}
		if got := nameOf(f, []byte("bug!")); got != want.prefix+"3bdf45e9d5f1a9ff16a485a66a350f57fea12c1e" || codeOf(f) != want.code {
			t.Errorf("%v: %s with the exit code %d", kind, got, codeOf(f))
		}
	}
}
