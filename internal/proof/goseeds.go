package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// FailedSeed is a seed that fails in plain go test, also without the others.
type FailedSeed struct {
	Target, Name string           // of the seed: that of its file, or seed#0 for the first one of F.Add
	Finding      *finding.Finding // as [Said] describes it
}

// failedSeed is the line of a seed that fails. Package testing writes spaces in names as underscores.
var failedSeed = regexp.MustCompile(`(?m)^\s+--- FAIL: (Fuzz[^/\s]*)/(\S+) \(`)

// Seeds runs the seeds of targets of the package in Dir with the flags of the record: those of F.Add and the files in testdata/fuzz. The go
// command caches that they pass. If go test fails and no seed is the reason, output is what it prints; empty otherwise. The error says that
// it could not be run, or is that of ctx.
func (c GoCommand) Seeds(ctx context.Context, targets []string) (list []FailedSeed, output string, err error) {
	output, passes, err := c.test(ctx, "^("+strings.Join(targets, "|")+")$")
	if err != nil || passes {
		return nil, "", err
	}
	for _, m := range failedSeed.FindAllStringSubmatch(output, -1) {
		one := FailedSeed{Target: m[1], Name: m[2]}
		if slices.ContainsFunc(list, func(f FailedSeed) bool { return f.Target == one.Target && f.Name == one.Name }) {
			continue
		}
		alone, passes, err := c.test(ctx, report.RunPattern(one.Target, one.Name), "-v")
		if err != nil {
			return nil, "", err
		}
		if !passes {
			one.Finding = Said(alone)
			list = append(list, one)
		}
	}
	if len(list) > 0 {
		output = ""
	}
	return list, output, nil
}

// test runs the tests that match a pattern and returns what go test prints.
func (c GoCommand) test(ctx context.Context, pattern string, more ...string) (output string, passes bool, err error) {
	cmd := exec.Command(c.Go, slices.Concat([]string{"test", "-json=false", "-run=" + pattern}, c.Record.Flags, more, []string{"."})...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, &out, &out
	err = c.Run(ctx, cmd)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		return out.String(), false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("run go test: %w", err)
	}
	return out.String(), true, nil
}
