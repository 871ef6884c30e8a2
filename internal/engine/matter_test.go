package engine

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// findOne has a run find the input in once, and returns the findings. run says what comes of an input, also of in.
func (l *lab) findOne(in string, run func(data string) (wire.Ran, error)) []*finding.Finding {
	l.t.Helper()
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.Minimize.Time, l.opts.MaxExecs = true, time.Minute, 5000
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) { return run(data) }
	found := false
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if found {
			return allOf(m), nil
		}
		found = true
		ran, err := run(in)
		if err != nil {
			return executor.Fuzzed{}, err
		}
		return failing(in, ran.Output), nil
	}
	out, err := l.goFuzz(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	return out.Findings
}

func TestTheBytesOfAFindingThatMatter(t *testing.T) {
	fails := func(string) (wire.Ran, error) { return ranFailing(failedAt(7)), nil }
	exits := func(in string) (wire.Ran, error) {
		return wire.Ran{}, &executor.Exit{Err: errors.New("exit status 3"), Input: args(in)}
	}
	first := [][2]int{{0, 1}}
	// The first byte takes one execution, each other one takes four.
	const tested, testedDeaths = 1 + (maxMatterChecks-1)/4, 1 + maxMatterDeaths/4
	for _, tt := range []struct {
		name  string
		size  int // of the input that is found, of which nothing can be left out
		fails func(data string) (wire.Ran, error)
		want  []finding.Matter
	}{
		{"are tested when it is minimized", 3, fails, []finding.Matter{{Bytes: first}}},
		{"are unknown beyond the limit of executions", 1000, fails, []finding.Matter{{Bytes: first, Untested: [][2]int{{tested, 1000}}}}},
		{"are tested if each execution ends the process", 3, exits, []finding.Matter{{Bytes: first}}},
		{"are unknown beyond the limit of processes", 100, exits, []finding.Matter{{Bytes: first, Untested: [][2]int{{testedDeaths, 100}}}}},
		{"are not tested if it is a hang", 3, func(in string) (wire.Ran, error) { return wire.Ran{}, hangOf(in) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := "X" + strings.Repeat("0", tt.size-1)
			got := newLab(t).findOne(in, func(data string) (wire.Ran, error) {
				if len(data) == tt.size && data[0] == 'X' {
					return tt.fails(data)
				}
				return pass, nil
			})
			if len(got) != 1 || string(got[0].Input[0].Data) != in || !reflect.DeepEqual(got[0].Matter, tt.want) {
				t.Errorf("the findings are %+v, want one with %v", got, tt.want)
			}
		})
	}
}

func TestNoByteMattersOfATargetThatDoesNotFailAnyMore(t *testing.T) {
	left := 8
	got := newLab(t).findOne("X00", func(data string) (wire.Ran, error) {
		if data != "seed" && len(data) == 3 {
			if left--; left >= 0 {
				return ranFailing(failedAt(7)), nil
			}
		}
		return pass, nil
	})
	if len(got) != 1 || got[0].Matter != nil || left >= 0 {
		t.Errorf("the findings are %+v, with %d failures left, want one whose bytes are not tested", got, left)
	}
}

func TestWhatAReplacedByteShowsIsAFindingToo(t *testing.T) {
	l := newLab(t)
	got := l.findOne("X", func(data string) (wire.Ran, error) { return failsWith(data), nil })
	if len(got) != 2 || got[0].Kind != finding.Failure || got[1].Kind != finding.Panic || string(got[1].Input[0].Data) != "Y" || got[1].Failures != replaysOfMany {
		t.Fatalf("the findings are %+v, want the failure of X, and the panic of Y", got)
	}
	if want := []finding.Matter{{Bytes: [][2]int{{0, 1}}}}; !reflect.DeepEqual(got[0].Matter, want) || !reflect.DeepEqual(got[1].Matter, want) {
		t.Errorf("of the findings matter %v and %v, want %v", got[0].Matter, got[1].Matter, want)
	}
	if len(l.files(l.opts.CorpusDir)) != 2 {
		t.Errorf("the files are %v, want those of two findings", l.files(l.opts.CorpusDir))
	}
}

func TestTheLimitOfMinimizingHoldsWithTheBytesThatMatter(t *testing.T) {
	for _, tt := range []struct {
		limit int
		want  []finding.Matter
	}{
		{3, nil},
		{40, []finding.Matter{{Bytes: [][2]int{{0, 1}}, Untested: [][2]int{{5, 8}}}}},
	} {
		l, runs := newLab(t), 0
		l.opts.Minimize.Execs = tt.limit
		got := l.findOne("X0000000", func(data string) (wire.Ran, error) {
			runs++
			if len(data) == 8 && data[0] == 'X' {
				return ranFailing(failedAt(7)), nil
			}
			return pass, nil
		})
		if most := 2 + tt.limit; runs > most { // the seed and the mutant
			t.Errorf("limit %d: %d inputs are executed, want at most %d", tt.limit, runs, most)
		}
		if len(got) != 1 || !reflect.DeepEqual(got[0].Matter, tt.want) {
			t.Errorf("limit %d: the findings are %+v, whose bytes are %v, want one with %v", tt.limit, got, got[0].Matter, tt.want)
		}
	}
}

func TestARunThatEndsWithItsFindingDoesNotTestItsBytes(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.Minimize.Time = time.Minute
	l.fuzz = func(context.Context, *fakeWorker, wire.Fuzz, func(wire.New)) (executor.Fuzzed, error) {
		return failing("X", failsWith("X").Output), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "Y" {
			t.Error("the byte is replaced by another one of its class")
		}
		return failsWith(data), nil
	}
	if out, err := l.goFuzz(t.Context()); err != nil || len(out.Findings) != 1 || out.Findings[0].Matter != nil {
		t.Errorf("Run = %+v, %v, want one finding whose bytes are not tested", out.Findings, err)
	}
}
