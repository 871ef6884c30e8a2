package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// sources are the files that the test binaries of some packages are built from, as they were at one time. A file that is
// edited later is built from its copy, by an overlay. What is in GOROOT and in the module cache does not change.
type sources struct {
	store    string            // folder of the copies
	replaced map[string]string // the user's overlay, and the targets that gnaw init has written for packages outside of the main modules
	files    map[string]copied // by absolute path
	imports  importGraph       // of the packages
	folders  map[string]bool   // whose new files are not there for the build; true: all of them, false: only source files
}

// copied is a file and its copy.
type copied struct {
	actual string // file that was copied: another one if the user's overlay says so
	copy   string
	size   int64
	time   time.Time
}

// sourceExts are the extensions of the files in the folder of a package that the go command may read.
var sourceExts = strings.Fields(".go .s .S .sx .c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .swig .swigcxx .syso")

// readSources copies the sources of packages, as seen from dir, with their tests and all that these import, to the folder store.
// flags are build flags.
func readSources(ctx context.Context, tc gocommand.Toolchain, dir string, packages, flags []string, store string) (*sources, error) {
	s := &sources{store: store, replaced: map[string]string{}, files: map[string]copied{}, folders: map[string]bool{}, imports: importGraph{}}
	theirs, err := gocommand.Replacements(tc, dir, flags)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.replaced, theirs)
	if err := os.MkdirAll(store, disk.PrivateDir); err != nil {
		return nil, fmt.Errorf("make a folder for copies of the sources: %w", err)
	}
	list, err := code.List[sourcePackage](ctx, tc.Source(dir, flags), code.Query{Deps: true, Test: true, Patterns: packages})
	if err != nil {
		return nil, fmt.Errorf("list the sources of %s: %w", strings.Join(packages, " "), err)
	}
	for _, p := range list {
		s.imports.add(p.ImportPath, p.Imports, p.ImportMap)
		if p.Standard || p.Dir == "" || gocommand.Below(p.Dir, tc.ModCache) {
			continue
		}
		if err := s.add(p); err != nil {
			return nil, fmt.Errorf("copy the sources of a package: %w", err)
		}
	}
	return s, nil
}

// sourcePackage is a package as `go list -json` prints it.
type sourcePackage struct {
	ImportPath, Dir                             string
	Imports                                     []string
	ImportMap                                   map[string]string
	Standard                                    bool
	Module                                      *struct{ GoMod string }
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
}

// add copies the files of a package, and those that say which other packages it uses.
func (s *sources) add(p sourcePackage) error {
	if _, ok := s.folders[p.Dir]; !ok {
		s.folders[p.Dir] = false
	}
	names := s.inFolder(p.Dir, false)
	for _, name := range slices.Concat(p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles) {
		name = gocommand.Absolute(name, p.Dir)
		if dir := filepath.Dir(name); dir != p.Dir && !s.folders[dir] {
			s.folders[dir] = true
			names = append(names, s.inFolder(dir, true)...)
		}
		names = append(names, name)
	}
	if p.Module != nil && p.Module.GoMod != "" {
		root := filepath.Dir(p.Module.GoMod)
		names = append(names, p.Module.GoMod, filepath.Join(root, "go.sum"), filepath.Join(root, "vendor", "modules.txt"))
	}
	for _, name := range names {
		if err := s.save(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inFolder returns the files in a folder, those of the user's overlay included, or only source files.
func (s *sources) inFolder(dir string, all bool) (names []string) {
	keep := func(name string) {
		if all || slices.Contains(sourceExts, filepath.Ext(name)) {
			names = append(names, name)
		}
	}
	list, _ := os.ReadDir(dir) // one that is not there has no files but those of an overlay
	for _, e := range list {
		if !e.IsDir() {
			keep(filepath.Join(dir, e.Name()))
		}
	}
	for name := range s.replaced {
		if filepath.Dir(name) == dir {
			keep(name)
		}
	}
	return names
}

// save copies a file, unless that was done.
func (s *sources) save(name string) error {
	if _, ok := s.files[name]; ok {
		return nil
	}
	from := gocommand.Actual(name, s.replaced)
	info, err := os.Stat(from)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	text, err := disk.Read(from, disk.MaxInput)
	var large *disk.SizeError
	if errors.As(err, &large) {
		return nil // it is not worth a copy
	}
	if err != nil {
		return err
	}
	to := filepath.Join(s.store, fmt.Sprint(len(s.files))+filepath.Ext(name))
	if err := os.WriteFile(to, text, disk.PrivateFile); err != nil {
		return err
	}
	s.files[name] = copied{from, to, info.Size(), info.ModTime()}
	return nil
}

// overlay returns the overlay with which the go command sees the files as they were. It is empty if nothing has changed and nothing is
// replaced.
func (s *sources) overlay() map[string]string {
	replace := maps.Clone(s.replaced)
	for name, f := range s.files {
		if f.changed() {
			replace[name] = f.copy
		}
	}
	for dir, all := range s.folders {
		for _, name := range s.inFolder(dir, all) {
			if _, ok := s.files[name]; !ok && replace[name] == "" {
				replace[name] = "" // it was not there
			}
		}
	}
	return replace
}

// changed reports whether a file is not what it was.
func (f copied) changed() bool {
	info, err := os.Stat(f.actual)
	if err == nil && info.Size() == f.size && info.ModTime().Equal(f.time) {
		return false
	}
	now, err := disk.Read(f.actual, disk.MaxInput)
	before, errBefore := os.ReadFile(f.copy)
	return err != nil || errBefore != nil || !bytes.Equal(now, before)
}

// since returns a file that has changed after a time; empty: none has.
func (s *sources) since(t time.Time) string {
	for name, f := range s.files {
		if f.time.After(t) {
			return name
		}
	}
	return ""
}
