package gocommand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Modfiles makes private copies of go.mod, with the go.sum beside it, in the site of a process. The text of an error is a clause, as in
// "a workspace cannot have a copy of go.mod". The methods may be called from any goroutine.
type Modfiles struct {
	Site *cache.Site
	tc   Toolchain
	dir  string
}

// NewModfiles returns the Modfiles of the main module that dir is in.
func NewModfiles(site *cache.Site, tc Toolchain, dir string) Modfiles { return Modfiles{site, tc, dir} }

// Complete makes a copy of go.mod that also has the modules that only the tests of a package need, and returns its path. version is the
// version of the module of the package. linked are the paths of the modules whose code the program contains; it is an error if the copy
// selects another version of one of them.
func (m Modfiles) Complete(ctx context.Context, pkg, version string, linked, flags []string) (file string, err error) {
	if file, err = m.ModfileWith(ctx, pkg, version, flags); err != nil {
		return "", err
	}
	raised, err := m.raised(ctx, filepath.Join(filepath.Dir(file), beforeName, "go.mod"), file, linked)
	if err != nil {
		return "", err
	}
	if raised != "" {
		return "", fmt.Errorf("with it the program would have %s", raised)
	}
	return file, nil
}

// beforeName is the name of a folder beside a changed copy of go.mod. It has an unchanged copy.
const beforeName = "before"

// ModfileWith makes a copy of go.mod that requires a version of the module of a package, with the modules that the tests of the package need,
// and returns its path. The go command may download modules.
func (m Modfiles) ModfileWith(ctx context.Context, pkg, version string, flags []string) (file string, err error) {
	base, err := m.gomod(ctx, flags)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(m.Site.Dir, "mod", cache.Digest(pkg, version))
	for _, to := range []string{filepath.Join(dir, beforeName), dir} {
		if err := copyModule(base, to); err != nil {
			return "", fmt.Errorf("go.mod cannot be copied: %w", err)
		}
	}
	file = filepath.Join(dir, "go.mod")
	if _, err := m.tc.Output(ctx, m.dir, "get", "-modfile="+file, "-t", pkg+"@"+version); err != nil {
		return "", fmt.Errorf("it cannot be added to a copy of go.mod: %w", err)
	}
	return file, nil
}

// Replace makes a copy of go.mod in which a folder replaces all versions of a module, and returns its path. If flags name a copy that a
// method of Modfiles has made, Replace copies that one.
func (m Modfiles) Replace(ctx context.Context, module, folder string, flags []string) (file string, err error) {
	base, err := m.gomod(ctx, flags)
	if err != nil {
		return "", err
	}
	fail := func(err error) (string, error) { return "", fmt.Errorf("go.mod cannot be copied: %w", err) }
	dir := filepath.Join(m.Site.Dir, "mod")
	if err := os.MkdirAll(dir, disk.PrivateDir); err != nil {
		return fail(err)
	}
	if dir, err = os.MkdirTemp(dir, "replaced-"); err != nil {
		return fail(err)
	}
	if err := copyModule(base, dir); err != nil {
		return fail(err)
	}
	file = filepath.Join(dir, "go.mod")
	if err := replaceModule(file, module, folder); err != nil {
		return fail(err)
	}
	return file, nil
}

// replaceModule makes a folder replace all versions of a module in a go.mod.
func replaceModule(name, module, folder string) error {
	return editModfile(name, func(file *modfile.File) error {
		for _, r := range slices.Clone(file.Replace) {
			if r.Old.Path == module {
				if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
					return err
				}
			}
		}
		return file.AddReplace(module, "", folder, "")
	})
}

// gomod returns the go.mod to copy: that of the main module, or the copy of a method of Modfiles that flags name.
func (m Modfiles) gomod(ctx context.Context, flags []string) (string, error) {
	goflags, err := SplitGoflags(m.tc.Flags)
	if err != nil {
		return "", err
	}
	if file, given := Goflag(slices.Concat(goflags, flags), "modfile"); given {
		if Below(file, m.Site.Dir) {
			return file, nil
		}
		return "", errors.New("gnaw does not change a copy of the file of -modfile")
	}
	out, err := m.tc.Output(ctx, m.dir, "env", "-json", "GOMOD", "GOWORK")
	if err != nil {
		return "", err
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("the output of %s env cannot be read: %w", m.tc.Go, err)
	}
	if env.GOWORK != "" && env.GOWORK != "off" {
		return "", errors.New("a workspace cannot have a copy of go.mod; GOWORK=off turns it off")
	}
	return env.GOMOD, nil
}

// copyModule copies a go.mod, and the go.sum beside it, to a folder.
func copyModule(gomod, dir string) error {
	if err := os.MkdirAll(dir, disk.PrivateDir); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(gomod), name))
		if errors.Is(err, os.ErrNotExist) && name == "go.sum" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, disk.PrivateFile)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// raised compares the versions of the linked modules in two files. It returns the first difference, as in "example.com/m v1.2.0 in place
// of v1.1.0"; empty: there is none.
func (m Modfiles) raised(ctx context.Context, before, after string, linked []string) (string, error) {
	old, err := m.versions(ctx, before)
	if err != nil {
		return "", err
	}
	now, err := m.versions(ctx, after)
	if err != nil {
		return "", err
	}
	for _, module := range linked {
		if old[module] != now[module] {
			return fmt.Sprintf("%s %s in place of %s", module, now[module], old[module]), nil
		}
	}
	return "", nil
}

// versions returns the versions of the modules in the build list of a private go.mod, by their paths.
func (m Modfiles) versions(ctx context.Context, modfile string) (map[string]string, error) {
	src := m.tc.Source(m.dir, []string{"-mod=mod", "-modfile=" + modfile})
	list, err := code.List[struct{ Path, Version string }](ctx, src, code.Query{Modules: true, Patterns: []string{"all"}})
	if err != nil {
		return nil, fmt.Errorf("the build list is not known: %w", err)
	}
	versions := map[string]string{}
	for _, one := range list {
		versions[one.Path] = one.Version
	}
	return versions, nil
}

// editModfile changes a go.mod.
func editModfile(name string, edit func(*modfile.File) error) error {
	file, err := readModfile(name)
	if err != nil {
		return err
	}
	if err := edit(file); err != nil {
		return err
	}
	file.Cleanup()
	text, err := file.Format()
	if err != nil {
		return err
	}
	return disk.Write(name, text)
}

// readModfile parses a go.mod and leaves its versions as they are. [modfile.ParseLax] would leave out the GODEBUG settings.
func readModfile(name string) (*modfile.File, error) {
	text, err := disk.Read(name, disk.MaxList)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, text, func(_, version string) (string, error) { return version, nil })
}
