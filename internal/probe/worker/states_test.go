package worker

import (
	"errors"
	"testing"
)

func TestEachStateOfTheStudyIsReachedOnTheWayToItsEnd(t *testing.T) {
	reached := map[state]bool{stateLog: true}
	for at := stateLog; at < stateEnd; at++ { // states only lead to later ones
		if !reached[at] {
			t.Errorf("no state leads to state %d", at)
		}
		for _, next := range []state{states[at].yes, states[at].no} {
			if next <= at {
				t.Errorf("state %d leads back to %d", at, next)
			}
			reached[next] = true
		}
	}
	if !reached[stateEnd] {
		t.Error("the study has no end")
	}
}

func TestAStudyThatIsOverGoesToItsEnd(t *testing.T) {
	for _, tt := range []struct {
		name string
		yes  bool
		end  func(s *study)
		want state
	}{
		{"a step says yes", true, func(*study) {}, stateRepeat},
		{"a step says no", false, func(*study) {}, stateList},
		{"there is no time", true, func(s *study) { s.over = true }, stateEnd},
		{"a variant has failed", true, func(s *study) { s.failure.failed = true }, stateEnd},
		{"the pipe is broken", true, func(s *study) { s.err = errors.New("broken") }, stateEnd},
		{"an execution has touched the T of the job", true, func(s *study) { s.run.near.cut = true }, stateEnd},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &study{run: &runner{}, progress: progress{state: stateCompare}}
			tt.end(s)
			if got := s.next(tt.yes); got != tt.want {
				t.Errorf("next(%v) = %d, want %d", tt.yes, got, tt.want)
			}
		})
	}
}
