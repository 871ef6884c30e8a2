package executor

// Stderr returns what the process has printed to its error output since the newest request began: the beginning and the end, if
// that is much. All of it is there when the process has ended.
func (w *Worker) Stderr() string { return w.stderr.since(w.asked) }
