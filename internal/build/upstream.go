package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// NewestVersion asks for the newest version of a module, as `go get module@latest` in the folder dir would choose it. The go command may use
// the network for that, by its own settings.
func NewestVersion(ctx context.Context, tc Toolchain, dir, module string) (string, error) {
	out, err := tc.output(ctx, dir, "list", "-m", readonlyFlag, "-json=Version", module+"@latest")
	if err != nil {
		return "", err
	}
	var m struct{ Version string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("the output of %s list cannot be read: %w", tc.Go, err)
	}
	return m.Version, nil
}

// DebugOf returns the settings of GODEBUG that a module has in its go.mod when it is the main module, as lines of a godebug block. root is its
// folder. The error is [os.ErrNotExist] if it has no go.mod.
func DebugOf(root string) (lines []string, err error) {
	name := filepath.Join(root, "go.mod")
	text, err := disk.Read(name, disk.MaxList)
	if err != nil {
		return nil, err
	}
	file, err := parseModfile(name, text)
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

// ModfileWithDebug makes a copy of go.mod, with its go.sum, that has the settings of GODEBUG of a module whose folder is root, and returns its path
// and the settings of go.mod as it is. Both are empty if they make no difference for the test binary of a package, or if the module has no
// go.mod.
func (b *Builder) ModfileWithDebug(ctx context.Context, pkg, root string, flags []string) (name string, ours []string, err error) {
	theirs, err := DebugOf(root)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	gomod, err := b.gomod(ctx, flags)
	if err != nil {
		return "", nil, err
	}
	if ours, err = DebugOf(filepath.Dir(gomod)); err != nil {
		return "", nil, err
	}
	dir := filepath.Join(b.Site.Dir, "mod", digest(append([]string{pkg}, theirs...)...))
	name = filepath.Join(dir, "go.mod")
	if err := copyModule(gomod, dir); err != nil {
		return "", nil, err
	}
	if err := setDebug(name, theirs); err != nil {
		return "", nil, err
	}
	before, err := b.tc.defaultDebug(ctx, b.dir, pkg, flags)
	if err != nil {
		return "", nil, err
	}
	after, err := b.tc.defaultDebug(ctx, b.dir, pkg, append(slices.Clone(flags), "-modfile="+name))
	if err != nil || before == after {
		return "", nil, err
	}
	return name, ours, nil
}

// setDebug replaces the settings of GODEBUG in a go.mod.
func setDebug(name string, lines []string) error {
	text, err := disk.Read(name, disk.MaxList)
	if err != nil {
		return err
	}
	file, err := parseModfile(name, text)
	if err != nil {
		return err
	}
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
	file.Cleanup()
	if text, err = file.Format(); err != nil {
		return err
	}
	return disk.Write(name, text)
}

// parseModfile parses a go.mod, whose versions stay as they are. [modfile.ParseLax] would leave out the settings of GODEBUG.
func parseModfile(name string, text []byte) (*modfile.File, error) {
	return modfile.Parse(name, text, func(_, version string) (string, error) { return version, nil })
}

// defaultDebug returns the settings of GODEBUG that the go command links into the test binary of a package outside of the main modules.
func (tc *Toolchain) defaultDebug(ctx context.Context, dir, pkg string, flags []string) (string, error) {
	args := slices.Concat([]string{"list", "-test", "-json=ImportPath,DefaultGODEBUG"}, OutsideFlags(flags), []string{"--", pkg})
	out, err := tc.output(ctx, dir, args...)
	if err != nil {
		return "", err
	}
	list, err := decodeList[struct{ ImportPath, DefaultGODEBUG string }](out)
	for _, p := range list {
		if p.ImportPath == pkg+".test" {
			return p.DefaultGODEBUG, err
		}
	}
	return "", err
}
