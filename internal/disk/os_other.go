//go:build !unix && !windows

package disk

var hints []hint

// dontWait is a flag for opening a file: there is none here.
const dontWait = 0

// syncDir does nothing: there is no way to do it that holds on all these systems.
func syncDir(string) error { return nil }

func ignoreUnsupported(err error) error { return err }
