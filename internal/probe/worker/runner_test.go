//go:build unix

package worker

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// A target that changes its argument must change neither the entry nor what is reported.
func TestChangedArgumentsDoNotShow(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) > 0 && data[0] == 'b' {
			p.hit(1)
		}
		for i := range data {
			data[i] = '!'
		}
	})
	s.seed(1, "aaaaaaaaaaaaaaaa")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000}, func(r fuzzed) bool {
		if len(r.found) == 1 && text(t, r.found[0].Input)[0] != 'b' {
			t.Errorf("the new entry is %q", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
	before := len(s.p.inputs)
	s.fuzz(wire.Fuzz{ID: 1, Execs: 1000})
	from := slices.ContainsFunc(s.p.inputs[before:], func(in []byte) bool { return bytes.Contains(in, []byte("aaaaa")) })
	if !from {
		t.Error("mutants do not come from the entry any more")
	}
}

// A T that is touched is not used again; skipping, cleanups and the like are no failures.
func TestATargetThatTouchesTEachTime(t *testing.T) {
	for _, how := range []string{"touch", "skip"} {
		t.Run(how, func(t *testing.T) {
			ts := map[*testing.T]bool{}
			s := start(t, func(t *testing.T, data []byte, p *process) {
				ts[t] = true
				misbehave(t, []byte(how), p)
			})
			s.seed(1, "seed")
			r := s.fuzz(wire.Fuzz{ID: 1, Execs: 300})
			if r.done.Execs != 300 || len(r.failed) != 0 {
				t.Errorf("the request made %d executions and %d failures, want 300 and none", r.done.Execs, len(r.failed))
			}
			if len(ts) != s.p.calls {
				t.Errorf("%d calls saw %d different Ts", s.p.calls, len(ts))
			}
		})
	}
}

func TestAnUntouchedTIsUsedAgain(t *testing.T) {
	ts := map[*testing.T]bool{}
	s := start(t, func(t *testing.T, _ []byte, _ *process) { ts[t] = true })
	s.seed(1, "seed")
	for range 5 {
		s.fuzz(wire.Fuzz{ID: 1, Execs: 300})
	}
	if len(ts) != 1 {
		t.Errorf("%d Ts were made, want 1", len(ts))
	}
}

// With -failfast, package testing does not run anything any more once a T has failed.
func TestARunFuncThatCallsNothing(t *testing.T) {
	failedOnce := false
	s := startWith(t, misbehave, func(loop func(*testing.T, func(func(func()) bool) bool)) (bool, string, int) {
		if failedOnce {
			return true, "", 0
		}
		ok, output, logged := imitateTesting(loop)
		failedOnce = !ok
		return ok, output, logged
	})
	s.seed(1, "pass")
	if !s.run("fail", false).Failed {
		t.Error("the first failure is not reported")
	}
	if s.run("fail", false).Failed {
		t.Error("an input that was not executed is reported as failing")
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 100}); r.done.Execs != 0 {
		t.Errorf("%d executions are reported, none can have been made", r.done.Execs)
	}
}

// What failed is too large for the ring, which still has the one before.
func TestAnInputThatIsTooLargeToBeRecordedIsNotTheOneBefore(t *testing.T) {
	w, _ := offline(t, func(*testing.T, []byte, *process) {}, "")
	large := make([]byte, ringLimit)
	for _, data := range [][]byte{[]byte("small"), large, []byte("another")} {
		w.run.args = input.Args{{Kind: input.Bytes, Data: data}}
		w.run.record()
		if got := w.run.lastInput()[0].Data; !bytes.Equal(got, data) {
			t.Errorf("the last input is %.20q of %d bytes, want %.20q of %d", got, len(got), data, len(data))
		}
	}
	if n := w.seg.Execs(); n != 3 {
		t.Errorf("%d executions are counted, want 3", n)
	}
}
