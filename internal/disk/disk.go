// Package disk reads files from a repository, which may contain anything, and writes files so that no process ever sees a part of
// one. All packages of gnaw read and write with it, except for files in a private folder that is not complete yet.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
)

// A hint is what a user can do about an error.
type hint struct {
	err    error
	advice string
}

// Explain says what failed for which path, and what to do about it where that is known.
func Explain(action, path string, err error) error {
	if pe, ok := err.(*fs.PathError); ok && pe.Path == path {
		err = pe.Err // the path is in the message already
	}
	for _, h := range hints {
		if errors.Is(err, h.err) {
			return fmt.Errorf("%s %s: %w; %s", action, path, err, h.advice)
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s %s: %w; check the permissions of the file and its directory", action, path, err)
	}
	return fmt.Errorf("%s %s: %w", action, path, err)
}
