package executor

import "time"

// standstill measures for how long gnaw itself did not run: it was stopped by ^Z, its container was paused, or its machine
// slept. That time does not count as time of the process.
type standstill struct {
	now  func() time.Time
	last time.Time
}

// stillFrom is the shortest delay that counts as a standstill. A shorter one means that the machine is busy.
const stillFrom = 10 * pulse

func newStandstill(now func() time.Time) *standstill { return &standstill{now, now()} }

// lost returns for how long gnaw stood still since the last call. It must be called once in each pulse.
func (s *standstill) lost() time.Duration {
	now := s.now()
	gap := now.Sub(s.last) - pulse
	if s.last = now; gap < stillFrom {
		return 0
	}
	return gap
}
