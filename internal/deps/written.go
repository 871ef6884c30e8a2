package deps

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// written are the files with targets for one package that gnaw init has written below [Folder].
type written struct {
	rel     string   // folder of the package in its module, with slashes
	version string   // of the module for which they were written
	files   []string // absolute
}

// findWritten finds the files with targets that gnaw init has written for a module, in the order of the folders of the packages. For each
// package it takes those of one version: the version that the program has, otherwise the last one before it, otherwise the first one after
// it. A folder that replaces the module is later than all versions. root is the folder of the main module.
func findWritten(root, module, version string) (list []written) {
	parent, base := filepath.Split(home(root, module, "", "."))
	entries, _ := os.ReadDir(parent) // without the folder there are none
	byPackage := map[string]written{}
	for _, e := range entries {
		v, ok := strings.CutPrefix(e.Name(), base)
		if !ok || !e.IsDir() {
			continue
		}
		for rel, files := range testFiles(filepath.Join(parent, e.Name())) {
			if old, ok := byPackage[rel]; !ok || isCloser(v, old.version, version) {
				byPackage[rel] = written{rel, v, files}
			}
		}
	}
	for _, w := range byPackage {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b written) int { return strings.Compare(a.rel, b.rel) })
	return list
}

// testFiles returns the test files below a folder, by the slash-separated name of the folder that they are in.
func testFiles(dir string) map[string][]string {
	found := map[string][]string{}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read has no targets
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		if rel, err := filepath.Rel(dir, filepath.Dir(name)); err == nil {
			found[filepath.ToSlash(rel)] = append(found[filepath.ToSlash(rel)], name)
		}
		return nil
	})
	return found
}

// isCloser reports whether targets that were written for version a, and not those for version b, are used with a version.
func isCloser(a, b, version string) bool {
	distance := func(v string) int {
		switch {
		case v == version:
			return 0
		case version == build.LocalVersion || semver.Compare(v, version) <= 0:
			return 1
		}
		return 2
	}
	x, y := distance(a), distance(b)
	switch {
	case x != y:
		return x < y
	case x == 1:
		return semver.Compare(a, b) > 0
	}
	return semver.Compare(a, b) < 0
}

// addWritten adds the targets that gnaw init has written for a unit. It also notes their files in the other targets of the same packages,
// which have the same test binaries.
func (f *finder) addWritten(u *unit) {
	if u.module == build.StdModule {
		return
	}
	for _, w := range findWritten(f.Root, u.module, u.version) {
		pkg := path.Join(u.path, w.rel)
		dir := filepath.Join(u.root, filepath.FromSlash(w.rel))
		if sources, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(sources) == 0 {
			f.leaveOut(pkg, "gnaw init has written targets for "+u.module+"@"+w.version+", and "+u.version+" has no such package")
			continue
		}
		for i := range f.list.Targets {
			if t := &f.list.Targets[i]; t.Package == pkg {
				t.Outside.Written = w.files
			}
		}
		for _, file := range w.files {
			targets, err := build.TargetsIn(file)
			if err != nil {
				f.leaveOut(pkg, err.Error())
				continue
			}
			for _, t := range targets {
				t.Package, t.Dir = pkg, dir
				f.add(u, t, w.rel, w.files)
			}
		}
	}
}
