package gocommand

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// NewestVersion returns the newest version of a module: the one that `go get module@latest` chooses in the folder dir. The go command may
// use the network, as its settings allow.
func NewestVersion(ctx context.Context, tc Toolchain, dir, module string) (string, error) {
	list, err := code.List[struct{ Version string }](ctx, tc.Source(dir, OutsideFlags(nil)), code.Query{Modules: true, Patterns: []string{module + "@latest"}})
	if err != nil {
		return "", err
	}
	if len(list) != 1 {
		return "", fmt.Errorf("%s list names %d versions of %s", tc.Go, len(list), module)
	}
	return list[0].Version, nil
}

// DebugOf returns the GODEBUG settings in the go.mod of a module, as lines of a godebug block. root is the folder of the module. The first
// line is the default, which the go line decides if no setting does. The error is [os.ErrNotExist] if the module has no go.mod.
func DebugOf(root string) (lines []string, err error) {
	file, err := readModfile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	goVersion := "1.16" // the go command's value for a go.mod without a go line
	if file.Go != nil {
		goVersion = file.Go.Version
	}
	lines = []string{"default=" + version.Lang("go"+goVersion)}
	for _, g := range file.Godebug {
		if g.Key == "default" {
			lines[0] = "default=" + g.Value
			continue
		}
		lines = append(lines, g.Key+"="+g.Value)
	}
	return lines, nil
}

// ModfileWithDebug makes a copy of go.mod with the GODEBUG settings of another module, whose folder is root. It returns the path of the copy
// and the settings of go.mod itself. Both are empty if the module has no go.mod, or if its settings make no difference for the test binary
// of a package.
func (m Modfiles) ModfileWithDebug(ctx context.Context, pkg, root string, flags []string) (name string, ours []string, err error) {
	theirs, err := DebugOf(root)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	gomod, err := m.gomod(ctx, flags)
	if err != nil {
		return "", nil, err
	}
	if ours, err = DebugOf(filepath.Dir(gomod)); err != nil {
		return "", nil, err
	}
	dir := filepath.Join(m.Site.Dir, "mod", cache.Digest(append([]string{pkg}, theirs...)...))
	name = filepath.Join(dir, "go.mod")
	if err := copyModule(gomod, dir); err != nil {
		return "", nil, err
	}
	if err := setDebug(name, theirs); err != nil {
		return "", nil, err
	}
	before, err := m.tc.defaultDebug(ctx, m.dir, pkg, flags)
	if err != nil {
		return "", nil, err
	}
	after, err := m.tc.defaultDebug(ctx, m.dir, pkg, append(slices.Clone(flags), "-modfile="+name))
	if err != nil || before == after {
		return "", nil, err
	}
	return name, ours, nil
}

// setDebug replaces the GODEBUG settings in a go.mod.
func setDebug(name string, lines []string) error {
	return editModfile(name, func(file *modfile.File) error {
		for _, g := range slices.Clone(file.Godebug) {
			if err := file.DropGodebug(g.Key); err != nil {
				return err
			}
		}
		for _, line := range lines {
			key, value, _ := strings.Cut(line, "=")
			if err := file.AddGodebug(key, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// defaultDebug returns the GODEBUG settings that the go command links into the test binary of a package outside of the main modules.
func (tc *Toolchain) defaultDebug(ctx context.Context, dir, pkg string, flags []string) (string, error) {
	list, err := code.List[struct{ ImportPath, DefaultGODEBUG string }](ctx, tc.Source(dir, OutsideFlags(flags)), code.Query{Test: true, Strict: true, Patterns: []string{pkg}})
	if err != nil {
		return "", err
	}
	for _, p := range list {
		if p.ImportPath == pkg+".test" {
			return p.DefaultGODEBUG, nil
		}
	}
	return "", fmt.Errorf("%s has no tests", pkg)
}
