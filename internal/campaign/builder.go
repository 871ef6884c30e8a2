package campaign

import (
	"context"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// Variant says how a test binary is built.
type Variant uint8

// The variants of a test binary.
const (
	Instrumented Variant = iota + 1 // for fuzzing
	Plain                           // as go test builds it
	Race                            // for fuzzing, with the race detector
	Cover                           // with counters for statements
)

// Builder has the test binaries of the packages of a campaign, all from the same sources. Its methods may be called from any goroutine.
type Builder interface {
	// Build returns the path of a variant of the test binary of the package of a target. It calls show, if that is not nil, with the number
	// of compiled packages, and the number of all packages that the binary needs, each time the former changes. A campaign asks once for each
	// binary, and for a plain one each time it needs it.
	Build(ctx context.Context, t build.Target, v Variant, show func(ready, needed int)) (path string, err error)
	// Vet returns what vet says about a package when go test runs it; empty: nothing.
	Vet(ctx context.Context, pkg string) (string, error)
}

// Compiled is the [Builder] that builds binaries with the go command.
type Compiled struct {
	Compiler Compiler
	Flags    []string   // for the go command
	Plain    []string   // those of Flags that plain go test needs too
	Cover    CoverBuild // nil: the campaign counts no statements
}

// Compiler builds test binaries with the go command; a *build.Builder in production.
type Compiler interface {
	// Path returns the path of the test binary of a package, which Binary writes.
	Path(pkg string, flags []string) string
	// Binary builds the instrumented test binary of a package. It calls show as [Builder] does.
	Binary(ctx context.Context, pkg string, flags []string, show func(ready, needed int)) error
	// Plain builds the test binary of a package as go test does, and returns its path.
	Plain(ctx context.Context, pkg string, flags []string) (string, error)
	// Vet returns what vet says about a package when go test runs it; empty: nothing.
	Vet(ctx context.Context, pkg string, flags []string) (string, error)
}

// CoverBuild builds the test binary of the package of a target with counters for statements, and returns its path. It calls show as
// [Builder] does.
type CoverBuild func(ctx context.Context, t build.Target, show func(ready, needed int)) (path string, err error)

// Build builds a test binary.
func (c Compiled) Build(ctx context.Context, t build.Target, v Variant, show func(ready, needed int)) (path string, err error) {
	flags := c.Flags
	switch v {
	case Plain:
		return c.Compiler.Plain(ctx, t.Package, c.Plain)
	case Cover:
		return c.Cover(ctx, t, show)
	case Race:
		flags = append(slices.Clone(flags), raceFlag)
	}
	return c.Compiler.Path(t.Package, flags), c.Compiler.Binary(ctx, t.Package, flags, show)
}

// Vet vets a package.
func (c Compiled) Vet(ctx context.Context, pkg string) (string, error) {
	return c.Compiler.Vet(ctx, pkg, c.Plain)
}
