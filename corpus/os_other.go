//go:build !unix && !windows

package corpus

var hints []hint

// syncDir does nothing: there is no way to do it that holds on all these systems.
func syncDir(string) error { return nil }

func ignoreUnsupported(err error) error { return err }
