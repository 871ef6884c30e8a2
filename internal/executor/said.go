package executor

// Said returns what the process has printed to its error output since the request at hand began: the beginning and the end, if that
// is much. All of it is there when the process has ended.
func (w *Worker) Said() string { return w.stderr.since(w.asked) }
