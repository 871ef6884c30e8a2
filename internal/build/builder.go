package build

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// A Builder builds test binaries for one process, in a [cache.Site] of its own: no other process replaces them. All are built from the
// sources as they were when it was made, so one that is needed later fits the others, whatever is edited meanwhile.
type Builder struct {
	gocommand.Modfiles
	tc      gocommand.Toolchain
	dir     string
	sources *sources
	outside map[string]outsidePackage // by import path
}

// NewBuilder makes a builder for packages, as seen from dir. flags are build flags such as -tags.
func NewBuilder(ctx context.Context, tc gocommand.Toolchain, dir string, packages, flags []string) (*Builder, error) {
	site, err := cache.OpenSite()
	if err != nil {
		return nil, err
	}
	s, err := readSources(ctx, tc, dir, packages, flags, filepath.Join(site.Dir, "src"))
	if err != nil {
		return nil, errors.Join(err, site.Close())
	}
	if err := useTempFolder(&tc, filepath.Join(site.Dir, "tmp")); err != nil {
		return nil, errors.Join(err, site.Close())
	}
	return &Builder{Modfiles: gocommand.NewModfiles(site, tc, dir), tc: tc, dir: dir, sources: s, outside: map[string]outsidePackage{}}, nil
}

// useTempFolder has the go command make its temporary folders in dir, unless the user has chosen a place. A go command that is interrupted before
// it handles signals leaves its folder behind, and dir is removed with all else that was built.
func useTempFolder(tc *gocommand.Toolchain, dir string) error {
	const name = "GOTMPDIR="
	if i := slices.IndexFunc(tc.Environ(), func(v string) bool { return strings.HasPrefix(v, name) && v != name }); i >= 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a folder for temporary files of the go command: %w", err)
	}
	tc.Env = append(slices.Clip(tc.Env), name+dir)
	return nil
}

// Close removes all that was built.
func (b *Builder) Close() error { return b.Site.Close() }

// Path is where the test binary of the package pkg is when [Builder.Binary] has built it with flags. Its name is
// <last element of pkg>.test.
func (b *Builder) Path(pkg string, flags []string) string {
	return b.path(pkg, append([]string{strconv.FormatBool(b.tc.Plain)}, flags...))
}

func (b *Builder) path(pkg string, more []string) string {
	name := path.Base(filepath.ToSlash(pkg)) + ".test"
	if b.tc.OS == "windows" {
		name += ".exe"
	}
	return filepath.Join(b.Site.Dir, "bin", cache.Digest(append([]string{pkg}, more...)...), name)
}

// Binary builds the test binary of a package that is instrumented; see [Binary]. If show is not nil, Binary calls it when the number of
// ready packages grows: the go command has compiled them or found them in its cache. needed is the number of all packages of the binary.
// The calls are made one at a time, on any goroutine.
func (b *Builder) Binary(ctx context.Context, pkg string, flags []string, show func(ready, needed int)) error {
	out := b.Path(pkg, flags)
	return b.build(flags, func(flags []string) error {
		tc := b.showing(pkg, show)
		if o, ok := b.outside[pkg]; ok {
			return b.buildOutside(ctx, o, flags, func(flags []string) error { return b.instrumentOutside(ctx, tc, pkg, flags, out) })
		}
		return Binary(ctx, tc, pkg, b.dir, flags, out)
	})
}

// Plain builds the test binary of a package as go test does, and returns where it is; see [Plain].
func (b *Builder) Plain(ctx context.Context, pkg string, flags []string) (file string, err error) {
	file = b.path(pkg, append([]string{"without instrumentation"}, flags...))
	return file, b.build(flags, func(flags []string) error {
		if o, ok := b.outside[pkg]; ok {
			return b.buildOutside(ctx, o, flags, func(flags []string) error { return Plain(ctx, b.tc, pkg, b.dir, flags, file) })
		}
		return Plain(ctx, b.tc, pkg, b.dir, flags, file)
	})
}

// maxBuilds is how often something is built anew because files have changed while it was built.
const maxBuilds = 3

// showing returns the toolchain for the build of a test binary of a package that calls show; nil: it does not call it.
func (b *Builder) showing(pkg string, show func(ready, needed int)) gocommand.Toolchain {
	tc := b.tc
	if show != nil {
		tc.Trace = newCompiling(b.sources.imports, pkg, show).command
	}
	return tc
}

// build builds something from the sources as they were.
func (b *Builder) build(flags []string, compile func(flags []string) error) error {
	return b.buildWith(nil, flags, compile)
}

// buildWith is like build, with other files in place of some sources.
func (b *Builder) buildWith(others map[string]string, flags []string, compile func(flags []string) error) error {
	replace := b.sources.overlay()
	for range maxBuilds {
		withOverlay := flags
		if len(replace)+len(others) > 0 {
			all := maps.Clone(replace)
			maps.Copy(all, others)
			text := gocommand.EncodeOverlay(all)
			file := filepath.Join(b.Site.Dir, cache.Digest(string(text))+".json")
			if err := os.WriteFile(file, text, disk.PrivateFile); err != nil {
				return fmt.Errorf("write the overlay for files that have changed: %w", err)
			}
			withOverlay = append(slices.Clone(flags), "-overlay="+file)
		}
		err := compile(withOverlay)
		after := b.sources.overlay()
		if maps.Equal(replace, after) {
			return err
		}
		replace = after
	}
	return errors.New("the sources change again and again while they are built; try again when they do not")
}

// Actual returns the file that has what was in a file when the builder was made: its copy, if it was changed since.
func (b *Builder) Actual(file string) string {
	if f, ok := b.sources.files[file]; ok && f.changed() {
		return f.copy
	}
	return file
}
