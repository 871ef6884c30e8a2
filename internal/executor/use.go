package executor

import "time"

// Use is how long a process has used the processors, or has waited for them. The zero value is for a system that does not report it.
type Use struct {
	Ran    time.Duration // for which its threads have run, all together
	Waited time.Duration // for which its threads were ready to run and others had the processors, all together
	Known  bool          // Waited is known
}

const (
	// busyFactor is how many times its limit an execution may take at most. On a machine that is busy with other things an execution that
	// did not have the processor for its limit may take longer than that, but not for ever.
	busyFactor = 4
	// idleShare: where Waited is not known, a process that had a processor for less than 1/idleShare of the time waits for something else.
	idleShare = 10
)

// Overdue reports whether an execution that has taken so long has had the time that limit gives it: it has run for so long, or it
// was not ready to run. now and before are the use of its process now and when the execution began. The time for which the process
// has waited for a processor does not count, until the execution has taken several times the limit.
func Overdue(took, limit time.Duration, before, now Use) bool {
	ran, waited := now.Ran-before.Ran, now.Waited-before.Waited
	if !before.Known || !now.Known {
		if waited = 0; ran > took/idleShare {
			waited = took - ran
		}
	}
	return took > limit && (ran >= limit || took-waited > limit || took > busyFactor*limit)
}

// JudgeTime returns how long it may take until it is known whether an execution hangs, with the time to print its stacks.
func JudgeTime(limit time.Duration) time.Duration {
	return busyFactor*limit + graceToObey + GraceToDump + graceToLeave
}
