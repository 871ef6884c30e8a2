package build

import (
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// PackageError is a package whose targets cannot be found or built.
type PackageError struct {
	Package string // import path, or what the user wrote for it
	Reason  string
}

// Error names the package and the reason.
func (e PackageError) Error() string { return fmt.Sprintf("load package %s: %s", e.Package, e.Reason) }

// List finds the fuzz tests of the packages that match patterns, as seen from dir, in the order of `go list` and of the
// files. flags are build flags such as -tags or -mod; with no patterns, it is the package in dir.
//
// A package that does not load or parse is a [PackageError], and the others are found nevertheless. A pattern that
// matches no package is a [gocommand.PatternError], or a [gocommand.NoModuleError] if dir is in no module.
func List(ctx context.Context, tc gocommand.Toolchain, dir string, patterns, flags []string) ([]Target, []PackageError, error) {
	packages, err := gocommand.ListPackages(ctx, tc, dir, patterns, flags)
	if err != nil {
		return nil, nil, err
	}
	replaced, err := gocommand.Replacements(tc, dir, flags)
	if err != nil {
		return nil, nil, err
	}
	var targets []Target
	var broken []PackageError
	for _, p := range packages {
		found, err := targetsOf(p, tc.Version, replaced)
		targets = append(targets, found...)
		if err != nil {
			broken = append(broken, PackageError{p.ImportPath, err.Error()})
		}
	}
	return targets, broken, nil
}

// targetsOf finds the fuzz tests of a package. The error is why the package, or one of its files, cannot be used with a toolchain.
func targetsOf(p *gocommand.ListedPackage, toolchain string, replaced map[string]string) (targets []Target, err error) {
	if p.Error != nil {
		return nil, errors.New(p.Error.String())
	}
	var module string
	if p.Module != nil {
		module = p.Module.Path
	}
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file := gocommand.Absolute(name, p.Dir)
		text, err := disk.Read(gocommand.Actual(file, replaced), disk.MaxSource)
		if err != nil {
			return nil, fmt.Errorf("read a test file: %w", err)
		}
		found, err := targetsIn(file, text)
		if syntax := (*scanner.Error)(nil); errors.As(err, &syntax) {
			return nil, gocommand.Unreadable(toolchain, err)
		}
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			t.Package, t.Module, t.Dir = p.ImportPath, module, p.Dir
			targets = append(targets, t)
		}
	}
	if len(targets) > 0 && len(p.DepsErrors) > 0 {
		return nil, errors.New(p.DepsErrors[0].String())
	}
	return targets, nil
}
