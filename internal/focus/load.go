package focus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Source says where the code of a campaign is.
type Source struct {
	Dir      string   // working directory; relative paths are relative to it
	Root     string   // of the module
	Go       string   // the go command
	Environ  []string // of the go command
	Flags    []string // build flags, such as -tags
	Packages []string // import paths of the packages of targets
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir   string
	Standard          bool
	GoFiles, CgoFiles []string
	Deps              []string // import paths; those of variants for a test have " [name.test]" behind them
	Module            *struct{ Main bool }
}

// own reports whether the package belongs to a main module.
func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// list lists the packages that the test binaries contain.
func (s *Source) list(ctx context.Context) (list []*listed, err error) {
	args := slices.Concat([]string{"list", "-e", "-deps", "-test", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,Deps,Module"}, s.Flags, []string{"--"}, s.Packages)
	cmd := exec.CommandContext(ctx, s.Go, args...)
	cmd.Dir, cmd.Env = s.Dir, s.Environ
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("list the packages of the targets: %s", strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("list the packages of the targets: %w", err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &listed{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		list = append(list, p)
	}
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
	config := packages.Config{
		Context: ctx, Dir: s.Dir, Env: s.Environ, BuildFlags: s.Flags, Fset: token.NewFileSet(), Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedForTest,
	}
	loaded, err = packages.Load(&config, s.Packages...)
	if err != nil {
		return nil, nil, fmt.Errorf("load the packages of the targets: %w", err)
	}
	slices.SortStableFunc(loaded, func(a, b *packages.Package) int { return len(b.Syntax) - len(a.Syntax) }) // variants with tests first
	if len(others) > 0 {
		config.Tests = false
		more, err := packages.Load(&config, others...)
		if err != nil {
			return nil, nil, fmt.Errorf("load the packages that the targets use: %w", err)
		}
		loaded = append(loaded, more...)
	}
	return config.Fset, loaded, nil
}

// abs returns the absolute path of a path relative to the working directory.
func (s *Source) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Dir, path)
}
