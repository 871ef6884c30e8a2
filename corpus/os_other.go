//go:build !unix && !windows

package corpus

import "os"

var hints []hint

// syncDir does nothing: there is no way to do it that holds on all these systems.
func syncDir(string) error { return nil }

func ignoreUnsupported(err error) error { return err }

// lockShared and lockAlone do nothing: gnaw does not fuzz here.
func lockShared(*os.File) {}

func lockAlone(*os.File) bool { return true }
