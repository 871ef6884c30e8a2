package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// Modfiles makes private copies of go.mod, with the go.sum beside it, in the site of a process. What its methods return as an error is the
// rest of a sentence. They may be called from any goroutine.
type Modfiles struct {
	Site *Site
	tc   Toolchain
	dir  string
}

// NewModfiles returns the Modfiles of the main module that dir is in.
func NewModfiles(site *Site, tc Toolchain, dir string) Modfiles { return Modfiles{site, tc, dir} }

// Complete makes a copy of go.mod that has the modules that the tests of a package need, and returns its path. version is that of the module
// of the package. The program must not have another version of any module by that: linked are the paths of the modules whose code it
// contains.
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

// beforeName is the name of the folder beside a changed copy of go.mod that has a copy of it as it was.
const beforeName = "before"

// ModfileWith makes a copy of go.mod that has a version of a package, with all that its tests need, and returns its path. The go command may
// download modules.
func (m Modfiles) ModfileWith(ctx context.Context, pkg, version string, flags []string) (file string, err error) {
	base, err := m.gomod(ctx, flags)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(m.Site.Dir, "mod", digest(pkg, version))
	for _, to := range []string{filepath.Join(dir, beforeName), dir} {
		if err := copyModule(base, to); err != nil {
			return "", fmt.Errorf("go.mod cannot be copied: %w", err)
		}
	}
	file = filepath.Join(dir, "go.mod")
	if _, err := m.tc.output(ctx, m.dir, "get", "-modfile="+file, "-t", pkg+"@"+version); err != nil {
		return "", fmt.Errorf("it cannot be added to a copy of go.mod: %w", err)
	}
	return file, nil
}

// Replace makes a copy of go.mod in which a folder replaces all versions of a module, and returns its path. If flags have a copy that
// Modfiles has made, it is a copy of that one.
func (m Modfiles) Replace(ctx context.Context, module, folder string, flags []string) (file string, err error) {
	base, err := m.gomod(ctx, flags)
	if err != nil {
		return "", err
	}
	fail := func(err error) (string, error) { return "", fmt.Errorf("go.mod cannot be copied: %w", err) }
	dir := filepath.Join(m.Site.Dir, "mod")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(err)
	}
	if dir, err = os.MkdirTemp(dir, "replaced-"); err != nil {
		return fail(err)
	}
	if err := copyModule(base, dir); err != nil {
		return fail(err)
	}
	file = filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return fail(err)
	}
	if text, err = replaced(text, module, folder); err != nil {
		return fail(err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return fail(err)
	}
	return file, nil
}

// replaced returns the text of a go.mod in which a folder replaces all versions of a module.
func replaced(text []byte, module, folder string) ([]byte, error) {
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Clone(file.Replace) {
		if r.Old.Path == module {
			if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, err
			}
		}
	}
	if err := file.AddReplace(module, "", folder, ""); err != nil {
		return nil, err
	}
	return file.Format()
}

// gomod returns the go.mod that is copied: that of the main module, or a copy that flags name.
func (m Modfiles) gomod(ctx context.Context, flags []string) (string, error) {
	goflags, err := splitGoflags(m.tc.Flags)
	if err != nil {
		return "", err
	}
	if file, given := goflag(slices.Concat(goflags, flags), "modfile"); given {
		if below(file, m.Site.Dir) {
			return file, nil
		}
		return "", errors.New("gnaw does not change a copy of the file of -modfile")
	}
	out, err := m.tc.output(ctx, m.dir, "env", "-json", "GOMOD", "GOWORK")
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
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(gomod), name))
		if errors.Is(err, os.ErrNotExist) && name == "go.sum" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// raised returns the first of the linked modules that has another version with the file after than with the file before, as in
// "example.com/m v1.2.0 in place of v1.1.0"; empty: none has.
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

// versions returns the version of each module of the build list that a private go.mod has, by path.
func (m Modfiles) versions(ctx context.Context, modfile string) (map[string]string, error) {
	out, err := m.tc.output(ctx, m.dir, "list", "-m", "-mod=mod", "-modfile="+modfile, "-json=Path,Version", "all")
	if err != nil {
		return nil, fmt.Errorf("the build list is not known: %w", err)
	}
	list, err := decodeList[struct{ Path, Version string }](out)
	if err != nil {
		return nil, fmt.Errorf("the build list is not known: %w", err)
	}
	versions := map[string]string{}
	for _, one := range list {
		versions[one.Path] = one.Version
	}
	return versions, nil
}
