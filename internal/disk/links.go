package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A LinkError is the problem with a folder of a module, or of another folder, that is a link or lies behind one, which leads out of it.
type LinkError struct {
	Link string // the folder
	To   string // where it leads
	Of   string // what it leads out of
}

// Error says what gnaw does not do, and what to do about it.
func (e *LinkError) Error() string {
	return fmt.Sprintf("%s leads out of %s, to %s, where gnaw writes nothing; put a folder in the place of the link", e.Link, e.Of, e.To)
}

// CheckLinks returns a [LinkError] if dir, which need not be there, is a folder of a module but lies outside of it, because it or a
// folder above it is a link. The module is that of the package whose testdata dir is in, or of the folder above dir. Links that stay
// in the module are no problem.
func CheckLinks(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return checkWithin(moduleOf(owner(dir)), "the module", dir)
}

// CheckWithin returns a [LinkError] if dir, which need not be there, is a folder below root but lies outside of it, because it or a folder
// between them is a link. root itself may be a link.
func CheckWithin(root, dir string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	return checkWithin(root, root, dir)
}

// checkWithin is CheckWithin for absolute paths. of is what the error calls the root.
func checkWithin(root, of, dir string) error {
	inside, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil // it is not there, and has no links
	}
	for there := dir; ; there = filepath.Dir(there) {
		if _, err := os.Lstat(there); err != nil && there != filepath.Dir(there) {
			continue // not there yet
		}
		real, err := filepath.EvalSymlinks(there)
		if err != nil {
			return nil // a link to nowhere, through which nothing is written
		}
		if rel, err := filepath.Rel(inside, real); err == nil && (rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))) {
			return &LinkError{there, real, of}
		}
		return nil
	}
}

// owner returns the folder that dir belongs to: the package whose testdata it is in, or the folder above it.
func owner(dir string) string {
	const testdata = "testdata"
	for above := dir; above != filepath.Dir(above); above = filepath.Dir(above) {
		if filepath.Base(above) == testdata {
			return filepath.Dir(above)
		}
	}
	return filepath.Dir(dir)
}

// moduleOf returns the folder of the module that dir is in; dir if there is none.
func moduleOf(dir string) string {
	for above := dir; ; above = filepath.Dir(above) {
		if info, err := os.Stat(filepath.Join(above, "go.mod")); err == nil && info.Mode().IsRegular() {
			return above
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}
