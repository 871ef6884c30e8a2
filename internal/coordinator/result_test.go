package coordinator

import (
	"errors"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
)

func TestTheResultOfATargetHasAllFailures(t *testing.T) {
	first := &finding.Finding{Output: "panic: one", Path: "testdata/fuzz/FuzzX/1"}
	second := &finding.Finding{Output: "panic: two", Path: "testdata/fuzz/FuzzX/2"}
	seed := &finding.Finding{Output: "panic: three", Seed: "seed#0"}
	greedy := &finding.Finding{Output: "too much memory", Path: "testdata/fuzz/FuzzX/4"}
	broken := errors.New("no space left")
	const firstBlock = "panic: one\nFailing input written to testdata/fuzz/FuzzX/1\nTo re-run:\ngo test -run=FuzzX/1\n\n"
	tests := []struct {
		name string
		out  engine.Outcome
		err  error
		want host.Result
	}{
		{"nothing", engine.Outcome{}, nil, host.Result{}},
		{"one failure, below which package testing prints the path", engine.Outcome{Findings: []*finding.Finding{first}}, nil, host.Result{Error: "panic: one", CrashPath: first.Path}},
		{"two", engine.Outcome{Findings: []*finding.Finding{first, second}}, nil, host.Result{Error: firstBlock + "panic: two", CrashPath: second.Path}},
		{"a seed, which has a file already", engine.Outcome{Findings: []*finding.Finding{seed}}, nil, host.Result{Error: "panic: three"}},
		{"too much memory and nothing else", engine.Outcome{OverLimit: []*finding.Finding{greedy}}, nil, host.Result{Error: "too much memory", CrashPath: greedy.Path}},
		{"too much memory and a failure", engine.Outcome{Findings: []*finding.Finding{first}, OverLimit: []*finding.Finding{greedy}}, nil, host.Result{Error: "panic: one", CrashPath: first.Path}},
		{"a failure and then an error of gnaw", engine.Outcome{Findings: []*finding.Finding{first}}, broken, host.Result{Error: firstBlock + "no space left"}},
		{"an error of gnaw alone", engine.Outcome{}, broken, host.Result{Error: "no space left"}},
		{"too much memory and then an error of gnaw", engine.Outcome{OverLimit: []*finding.Finding{greedy}}, broken, host.Result{Error: "no space left"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hostResult("FuzzX", tt.out, tt.err); got != tt.want {
				t.Errorf("the result is %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestHowLongARunGoesOnAfterFailures(t *testing.T) {
	for _, tt := range []struct {
		name string
		job  host.Job
		want engine.Grace
	}{
		{"no limit", host.Job{MinimizeTime: time.Minute}, engine.Grace{Min: minGrace, Max: maxGrace, All: time.Minute}},
		{"a minute", host.Job{MinimizeTime: 5 * time.Second, FuzzTime: time.Minute}, engine.Grace{Min: 3 * time.Second, Max: 5 * time.Second, All: 6 * time.Second}},
		{"ten minutes", host.Job{MinimizeTime: time.Minute, FuzzTime: 10 * time.Minute}, engine.Grace{Min: 30 * time.Second, Max: 30 * time.Second, All: time.Minute}},
		{"an hour", host.Job{MinimizeTime: time.Minute, FuzzTime: time.Hour}, engine.Grace{Min: 3 * time.Minute, Max: 3 * time.Minute, All: 6 * time.Minute}},
		{"a second", host.Job{MinimizeTime: time.Minute, FuzzTime: time.Second}, engine.Grace{Min: minGrace, Max: maxGrace, All: time.Minute}},
		{"executions", host.Job{MinimizeTime: time.Minute, FuzzLimit: 1000}, engine.Grace{Min: minGrace, Max: maxGrace, All: time.Minute}},
		{"an hour, the first failure ends it", host.Job{MinimizeTime: time.Minute, FuzzTime: time.Hour, FailFast: true}, engine.Grace{}},
		{"an hour, minimizing in executions", host.Job{MinimizeLimit: 100, FuzzTime: time.Hour}, engine.Grace{}},
	} {
		if got := graceOf(tt.job); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
