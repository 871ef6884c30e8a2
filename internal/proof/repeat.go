package proof

import (
	"context"
	"time"
)

const (
	// repeatFor is how long an input is repeated. A goroutine that outlives the execution that has started it for longer does not show.
	repeatFor = time.Second
	// mostRepeats is more often than any input is executed in that time.
	mostRepeats = 10_000_000
	// As many executions are asked for as take countBy times as long as the process lived, and at least countFor: the next process may have
	// the machine for itself, and execute many times as many meanwhile.
	countBy  = 10
	countFor = time.Second
	// repeatsKept is how many of the last lines are kept that a process prints: many goroutines may print the reason for its end at once.
	repeatsKept = 200
)

// repeat runs a test whose input passes again and again in one process, which a goroutine may end that an execution has left behind.
// count is the count with which a test shows that; 0: the process does not end by it. same reports whether the process has ended by what
// is looked for, by the last lines that it printed and how it ended. The error is about gnaw or the machine, or that of ctx.
func (t test) repeat(ctx context.Context, same func(output string, exit error) bool) (count int, err error) {
	t.count, t.repeatFor = mostRepeats, repeatFor
	t.addVariable("GOTRACEBACK=single") // without the stacks of all that the executions have left behind
	out := &output{target: t.target, now: time.Now, plain: tail{limit: repeatsKept}}
	w, err := t.run(ctx, out)
	if err := t.ours(ctx, err); err != nil {
		return 0, err
	}
	switch s := out.state(); {
	case timeUp(err), err == nil, signaled(err), !s.begun(), s.ended == "FAIL", !same(out.rest(), err):
		return 0, nil
	default:
		t.count, t.repeatFor = countOf(s.runs, w.end.Sub(s.first)), 0
	}
	r, err := t.control(ctx, result{}, func(_ state, err error) outcome { return ifPasses(err, failed, passed) })
	if err != nil || r.outcome != failed {
		return 0, err
	}
	return t.count, nil
}

// countOf returns how many executions are asked for if a process lived for so many of them, and for so long: one, two or five times a power of
// ten.
func countOf(runs int, lived time.Duration) int {
	lived = max(lived, time.Microsecond)
	n := float64(runs) * float64(max(countBy*lived, countFor)) / float64(lived)
	for power := 10; ; power *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if count := digit * power; n <= float64(count) || count >= mostRepeats {
				return count
			}
		}
	}
}
