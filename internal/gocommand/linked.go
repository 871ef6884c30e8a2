package gocommand

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// LinkedPackage is a package that some packages consist of: one of them, or one that they import, directly or not.
type LinkedPackage struct {
	ImportPath string
	Dir        string // absolute folder
	Standard   bool   // of the standard library
	Imports    []string
	Module     *LinkedModule // nil: the standard library
	Errors     []string      `json:"-"` // why it, or a package that it imports, cannot be loaded
}

// LinkedModule is the module of a package.
type LinkedModule struct {
	Path, Version string
	Main          bool          // its sources are the user's
	Dir           string        // absolute folder of the sources; empty: they are not in the module cache
	Replace       *LinkedModule // what a replace directive names; nil: nothing
}

// Linked lists the packages that match patterns, as seen from dir, and all that they import, without tests.
func Linked(ctx context.Context, tc Toolchain, dir string, patterns, flags []string) (packages []LinkedPackage, err error) {
	list, err := code.List[struct {
		LinkedPackage
		Error      *code.ListError
		DepsErrors []*code.ListError
	}](ctx, tc.Source(dir, flags), code.Query{Deps: true, Patterns: patterns})
	if err != nil {
		return nil, fmt.Errorf("list the dependencies of %s: %w", strings.Join(patterns, " "), err)
	}
	if len(list) == 0 {
		return nil, &PatternError{strings.Join(patterns, " "), cmp.Or(dir, "."), "", "correct the pattern or change the folder"}
	}
	for _, p := range list {
		if p.Error != nil {
			p.Errors = append(p.Errors, p.Error.String())
		}
		for _, e := range p.DepsErrors {
			p.Errors = append(p.Errors, e.String())
		}
		packages = append(packages, p.LinkedPackage)
	}
	return packages, nil
}
