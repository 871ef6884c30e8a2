// Package testkit contains helpers for the tests of several packages.
package testkit

import (
	"io/fs"
	"path/filepath"
)

// Depend opens all directories below root, so that a change of any file in them makes the running test run again. A test that builds gnaw
// depends on all files of the module, which the go command does not see: it records only what a test itself opens. Depend must
// be called from a test, not from TestMain: the go command records nothing before m.Run.
func Depend(root string) {
	_ = filepath.WalkDir(root, func(_ string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		return nil // what cannot be read, the build will name
	})
}
