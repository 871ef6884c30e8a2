package engine

// task is what a worker does next.
type task interface {
	// grant returns the executions that are promised to the task. They are taken back when it is over.
	grant() uint64
	// wholeStack reports whether the worker has the stack of plain go test.
	wholeStack() bool
	// perform has the worker of s do the task and reports what came of it. The error ends the run.
	perform(s *slot) error
	// giveBack puts back a task that no worker can do because the turn ends. The next turn has it done.
	giveBack()
}
