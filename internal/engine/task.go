package engine

// task is what a worker does next.
type task interface {
	// grant returns the executions that are promised to the task. They are taken back when it is over.
	grant() uint64
	// wholeStack reports whether the worker shall have the stack of plain go test.
	wholeStack() bool
	// perform has the worker of s do the task and reports what came of it. The error ends the run.
	perform(s *slot) error
	// giveBack takes back a task for which there is no worker. Such is the end of a turn; the next one has it done.
	giveBack()
}
