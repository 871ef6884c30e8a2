package work

import "runtime"

// yields is how often a goroutine that is left may run before the next execution, as long as it is there.
const yields = 256

// settle waits for goroutines that an execution has started and not waited for, for a moment: what they hit is of this execution,
// and would show in the next one. Those that stay are no concern of later executions.
func (w *worker) settle() {
	n := runtime.NumGoroutine() // which takes two nanoseconds
	for range yields {
		if n <= w.calm {
			break
		}
		runtime.Gosched()
		n = runtime.NumGoroutine()
	}
	w.calm = n
}
