package build

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Packages returns the packages of targets, each once.
func Packages(targets []Target) (packages []string) {
	for _, t := range targets {
		if !slices.Contains(packages, t.Package) {
			packages = append(packages, t.Package)
		}
	}
	return packages
}

// Uncompiled compiles the packages of targets with their tests, without linking, and returns those that do not compile.
func Uncompiled(ctx context.Context, tc gocommand.Toolchain, dir string, targets []Target, flags []string) ([]PackageError, error) {
	packages := Packages(targets)
	if len(packages) == 0 {
		return nil, nil
	}
	list, err := code.List[compiledPackage](ctx, tc.Source(dir, flags), code.Query{Test: true, Export: true, Patterns: packages})
	if failed := (*code.CommandError)(nil); errors.As(err, &failed) {
		var exit *exec.ExitError
		if !errors.As(failed.Err, &exit) || len(list) == 0 {
			return nil, fmt.Errorf("compile the packages: %w: %s", failed.Err, failed.Said)
		}
	} else if err != nil {
		return nil, err
	}
	var broken []PackageError
	for _, p := range list {
		name, _, _ := strings.Cut(p.ImportPath, " ")
		if p.ForTest != "" {
			name = p.ForTest
		}
		if p.Error == nil && len(p.DepsErrors) > 0 {
			p.Error = p.DepsErrors[0]
		}
		known := slices.ContainsFunc(broken, func(b PackageError) bool { return b.Package == name })
		if p.Error == nil || known || !slices.Contains(packages, name) {
			continue
		}
		broken = append(broken, PackageError{Package: name, Reason: p.Error.First()})
	}
	return broken, nil
}

// compiledPackage is a package as `go list -export -json` describes it.
type compiledPackage struct {
	ImportPath, ForTest string
	Error               *code.ListError
	DepsErrors          []*code.ListError
}
