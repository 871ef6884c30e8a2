// Package deps finds the fuzz targets of the dependencies of a program, decides which come first, and copies the sources that they
// run in: the module cache and GOROOT are never written to.
//
// find.go lists the targets that modules contain, written.go those that gnaw init has written, and packages.go the packages that gnaw init
// may write targets for. policy.go finds security policies, score.go orders targets, and copy.go and module.go copy modules.
package deps

import (
	"path"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// Folder is the folder of failing inputs of dependencies, and of targets that gnaw init has written for them, relative to the root of the
// main module, with slashes. Its name begins with a dot, so the go command finds no packages in it.
const Folder = ".gnaw/deps"

// Candidate is a fuzz target of a dependency that may be fuzzed. Its field Outside is set, except for Work, which [Copies.Place] sets.
type Candidate struct {
	build.Target
	Reach Reach
	Kind  Kind
	Fresh bool      // it was never fuzzed with this version of the module, this toolchain and this GOARCH
	Last  time.Time // when it was fuzzed with any of them; zero: never
}

// List is what [Find] finds.
type List struct {
	Targets []Candidate          // of linked packages and of others
	Linked  []string             // paths of the modules whose packages are linked, the main modules left out
	LeftOut []build.PackageError // packages and modules whose targets cannot be found
	Bare    int                  // number of linked packages that read data and have no targets; not counted if gnaw init has written any target
}

// home returns the folder that keeps failing inputs of a package. root is the folder of the main module, and rel is the folder of the
// package in its module.
func home(root, module, version, rel string) string {
	return filepath.Join(root, filepath.FromSlash(path.Join(Folder, module+"@"+version, rel)))
}
