package wire

// What comes through the lifeline of a worker is one byte, before the end that comes when the coordinator ends.
const (
	Released byte = iota // with Stop: the end of the lifeline means nothing any more
	Stacks               // an execution takes too long: print the stacks of all goroutines and end
)
