package cli

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// passedLine is what package testing prints about a test that has passed, with -test.v.
var passedLine = regexp.MustCompile(`(?m)^ *--- PASS: (\S+) \(([0-9.]+)s\)$`)

// time runs one file of testdata/fuzz as plain go test does, in the binary without instrumentation, and returns how long the target took
// with it, by the clock of package testing. ended is false if it did not pass within the limit.
func (p replayer) time(ctx context.Context, name string, limit time.Duration) (took time.Duration, ended bool, err error) {
	c := p.config
	if c.Path, err = p.plain(ctx); err != nil {
		return 0, false, err
	}
	bounded, cancel := context.WithTimeout(ctx, limit+timeSetup)
	defer cancel()
	cmd := plainCommand(bounded, c, report.RunPattern(p.target, name), limit+timeSetup)
	out := &watchedOutput{word: "=== RUN   " + p.target + "/" + name + "\n", met: func() { time.AfterFunc(limit, cancel) }}
	cmd.Args, cmd.Stdout = append(cmd.Args, "-test.v"), out
	err = cmd.Run()
	if ctx.Err() != nil {
		return 0, false, ctx.Err()
	}
	for _, line := range passedLine.FindAllStringSubmatch(out.text.String(), -1) {
		if line[1] == p.target+"/"+name {
			took, err = time.ParseDuration(line[2] + "s")
			return took, took <= limit, err
		}
	}
	if err != nil {
		return 0, false, nil //nolint:nilerr // it has failed, or its time was up
	}
	return 0, false, fmt.Errorf("plain go test does not run %s: %s", name, strings.TrimSpace(out.text.String()))
}

// timeSetup is how long the setup of a test may take before the target is called.
const timeSetup = time.Minute

// watchedOutput keeps what a process prints and calls met when it has printed a word.
type watchedOutput struct {
	text  bytes.Buffer
	word  string
	met   func()
	isMet bool
}

func (w *watchedOutput) Write(b []byte) (int, error) {
	w.text.Write(b)
	if !w.isMet && strings.Contains(w.text.String(), w.word) {
		w.isMet = true
		w.met()
	}
	return len(b), nil
}
