package build

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
)

// Cover builds the test binary of a package, with the probe and with a counter for each block of statements in the packages whose import
// paths are covered. It calls show as [Builder.Binary] does. It returns the file of the binary. If the package does not compile, the error is a [BuildError].
//
// The go command reads the sources of covered packages from their folders, whatever -overlay says, so it is an error if they have changed
// since the builder was made.
func (b *Builder) Cover(ctx context.Context, pkg string, covered, flags []string, show func(ready, needed int)) (file string, err error) {
	instrument := []string{"-cover", "-covermode=atomic", "-coverpkg=" + strings.Join(covered, ",")}
	file = b.path(pkg, slices.Concat([]string{"with counters for blocks"}, covered, flags))
	o, err := overlay.Inject(b.tc)
	if err != nil {
		return "", err
	}
	err = b.build(flags, func(flags []string) error {
		return instrumented(ctx, b.showing(pkg, show), o, pkg, b.dir, flags, instrument, file)
	})
	if err == nil && len(b.sources.overlay()) > 0 {
		err = errors.New("the sources have changed while they were built; try again")
	}
	return file, err
}

// Placed builds the test binary of a package like [Builder.Binary], but its hooks identify a comparison by the address of the code that makes
// it, as compare.Place requires. texts replace the contents of sources, by their paths; a source need not exist. Sources in the module cache stay
// as they are, because the go command refuses to replace them. Placed returns the file of the binary.
func (b *Builder) Placed(ctx context.Context, pkg string, flags []string, texts map[string][]byte) (file string, err error) {
	tc := b.tc
	tc.Placed = true
	replace := map[string]string{}
	for name, text := range texts {
		if gocommand.Below(name, tc.ModCache) {
			continue
		}
		replace[name] = filepath.Join(b.Site.Dir, cache.Digest(string(text))+".go")
		if err := disk.Write(replace[name], text); err != nil {
			return "", fmt.Errorf("write a source that replaces %s: %w", name, err)
		}
	}
	file = b.path(pkg, append([]string{"with places of comparisons", strconv.FormatBool(tc.Plain), fmt.Sprint(replace)}, flags...))
	return file, b.buildWith(replace, flags, func(flags []string) error { return Binary(ctx, tc, pkg, b.dir, flags, file) })
}

// CoverOptions says which packages are covered.
type CoverOptions struct {
	Patterns []string // as in -coverpkg; none: the packages of the main modules that the test binary contains
	Flags    []string // for the go command
}

// Covered returns the import paths of the packages that are covered in the test binary of a package, as seen from dir: those that the
// binary contains and that match a pattern. Without patterns, these are the package and the packages of the main modules. The error is a
// [gocommand.PatternError] if a pattern matches no package.
func Covered(ctx context.Context, tc gocommand.Toolchain, dir, pkg string, o CoverOptions) (paths []string, err error) {
	var chosen map[string]bool
	if len(o.Patterns) > 0 {
		if chosen, err = matching(ctx, tc, dir, o); err != nil {
			return nil, err
		}
	}
	list, err := code.List[struct {
		ImportPath, ForTest string
		Standard            bool
		GoFiles, CgoFiles   []string
		Module              *gocommand.LinkedModule
	}](ctx, tc.Source(dir, o.Flags), code.Query{Deps: true, Test: true, Patterns: []string{pkg}})
	if err != nil {
		return nil, fmt.Errorf("list what the tests of %s import: %w", pkg, err)
	}
	for _, p := range list {
		path := withoutVariant(p.ImportPath)
		wanted := p.Module != nil && p.Module.Main && !p.Standard || path == pkg
		if chosen != nil {
			wanted = chosen[path]
		}
		external := p.ForTest != "" && path == p.ForTest+"_test" || strings.HasSuffix(p.ImportPath, ".test")
		if wanted && !external && slices.ContainsFunc(slices.Concat(p.GoFiles, p.CgoFiles), isCovered) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// CheckCovered returns a [gocommand.PatternError] if one of the patterns matches no package, as seen from dir.
func CheckCovered(ctx context.Context, tc gocommand.Toolchain, dir string, o CoverOptions) error {
	if len(o.Patterns) == 0 {
		return nil
	}
	_, err := matching(ctx, tc, dir, o)
	return err
}

// matching returns the import paths of the packages that match the patterns.
func matching(ctx context.Context, tc gocommand.Toolchain, dir string, o CoverOptions) (map[string]bool, error) {
	packages, err := gocommand.ListPackages(ctx, tc, dir, o.Patterns, o.Flags)
	if err != nil {
		return nil, err
	}
	paths := map[string]bool{}
	for _, p := range packages {
		if p.Error == nil {
			paths[p.ImportPath] = true
		}
	}
	return paths, nil
}

// isCovered reports whether the go command covers a file.
func isCovered(file string) bool { return !strings.HasSuffix(file, "_test.go") }

// PackageFolders returns the folders of packages by their import paths, as seen from dir. A package without a folder is not among them.
func PackageFolders(ctx context.Context, tc gocommand.Toolchain, dir string, paths, flags []string) (map[string]string, error) {
	packages, err := gocommand.ListPackages(ctx, tc, dir, paths, flags)
	if err != nil {
		return nil, err
	}
	folders := map[string]string{}
	for _, p := range packages {
		if p.Dir != "" {
			folders[p.ImportPath] = p.Dir
		}
	}
	return folders, nil
}
