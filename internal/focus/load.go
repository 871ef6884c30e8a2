package focus

import (
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Source says where the code of a campaign is.
type Source struct {
	code.Source
	Root     string   // of the module
	Packages []string // import paths of the packages of targets
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir   string
	Standard          bool
	GoFiles, CgoFiles []string
	Deps              []string // import paths; those of variants for a test have " [name.test]" behind them
	Module            *struct {
		Main    bool
		Replace *struct{ Version string }
	}
}

// own reports whether the package belongs to a main module.
func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// local reports whether the package belongs to a main module, or to one in whose place a folder is.
func (p *listed) local() bool {
	return p.own() || p.Module != nil && p.Module.Replace != nil && p.Module.Replace.Version == ""
}

// list lists the packages that the test binaries contain.
func (s *Source) list(ctx context.Context) (list []*listed, err error) {
	if list, err = code.List[*listed](ctx, s.Source, code.Query{Deps: true, Test: true, Patterns: s.Packages}); err != nil {
		return nil, fmt.Errorf("list the packages of the targets: %w", err)
	}
	return list, nil
}

// linked returns the import paths of the packages in each test binary, by the import path of the package that it tests.
func linked(list []*listed) map[string]map[string]bool {
	binaries := map[string]map[string]bool{}
	for _, p := range list {
		tested, ok := strings.CutSuffix(p.ImportPath, ".test")
		if !ok {
			continue
		}
		binaries[tested] = map[string]bool{}
		for _, name := range p.Deps {
			name, _, _ = strings.Cut(name, " ")
			binaries[tested][name] = true
		}
	}
	return binaries
}

// load parses and type-checks the packages of the targets with their tests, and the other packages of their test binaries that wanted selects.
func (s *Source) load(ctx context.Context, list []*listed, wanted func(p *listed) bool) (fset *token.FileSet, loaded []*packages.Package, err error) {
	var others []string
	for _, p := range list {
		variant := strings.ContainsAny(p.ImportPath, " ") || strings.HasSuffix(p.ImportPath, ".test")
		if !variant && wanted(p) && !slices.Contains(s.Packages, p.ImportPath) {
			others = append(others, p.ImportPath)
		}
	}
	return s.LoadTested(ctx, s.Packages, others)
}

// abs returns the absolute path of a path relative to the working directory.
func (s *Source) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Dir, path)
}
