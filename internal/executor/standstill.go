package executor

import "time"

// standstill tells for how long gnaw itself stood still: it was stopped by ^Z, its container was paused, its machine slept.
// What it measures then is nobody's time.
type standstill struct {
	now  func() time.Time
	last time.Time
}

// stillFrom is how much later than expected gnaw gets to look if it stood still. Less is a machine that is busy.
const stillFrom = 10 * pulse

func newStandstill(now func() time.Time) *standstill { return &standstill{now, now()} }

// lost returns for how long gnaw stood still since it was asked last. It must be asked once in each pulse.
func (s *standstill) lost() time.Duration {
	now := s.now()
	gap := now.Sub(s.last) - pulse
	if s.last = now; gap < stillFrom {
		return 0
	}
	return gap
}
