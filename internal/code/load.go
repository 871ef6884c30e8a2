package code

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Source says where packages are, and which go command knows them.
type Source struct {
	Go      string   // the go command; empty: that in PATH
	Dir     string   // working directory, where patterns and relative paths are resolved
	Environ []string // of the go command
	Flags   []string // build flags, such as -tags
}

// Mode says what [Source.Load] reads of packages. Syntax trees and types are always read.
type Mode packages.LoadMode

// The modes.
const (
	Alone Mode = Mode(packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
		packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedForTest) // of the packages that match; of those that they import, the exported types
	Whole Mode = Alone | Mode(packages.NeedDeps|packages.NeedModule) // of all that they import too, with modules
)

// LoadOptions says how packages are loaded.
type LoadOptions struct {
	Mode    Mode
	Tests   bool              // the packages with their tests too, as variants of their own
	Fset    *token.FileSet    // of the syntax trees; nil: a new one
	Overlay map[string][]byte // contents of files in place of those on disk, by absolute path
}

// path guards PATH of this process.
var path sync.Mutex

// Load parses and type-checks the packages that match patterns. A package with errors is in the list, and [Problem] says why it does not
// compile. Load may be called from any goroutine.
//
// packages.Load runs the go command that it finds in PATH of this process, whatever the environment says. That is another one than s.Go if
// go.mod or GOTOOLCHAIN selects a toolchain, and it cannot work with GOROOT of that toolchain. So the folder of s.Go comes first in PATH
// meanwhile. The go command answers, and no driver that the environment of an editor names.
func (s Source) Load(ctx context.Context, o LoadOptions, patterns ...string) ([]*packages.Package, error) {
	config := packages.Config{
		Context: ctx, Dir: s.Dir, Env: append(slices.Clip(s.Environ), "GOPACKAGESDRIVER=off"), BuildFlags: s.Flags,
		Mode: packages.LoadMode(o.Mode), Tests: o.Tests, Fset: o.Fset, Overlay: o.Overlay,
	}
	if filepath.IsAbs(s.Go) {
		path.Lock()
		defer path.Unlock()
		before := os.Getenv("PATH")
		if err := os.Setenv("PATH", filepath.Dir(s.Go)+string(filepath.ListSeparator)+before); err != nil {
			return nil, err
		}
		defer os.Setenv("PATH", before)
	}
	return packages.Load(&config, patterns...)
}

// LoadTested loads packages alone: those of targets with their tests, and others without. Of the variants of a package, the one with tests comes
// first. All have positions of fset.
func (s Source) LoadTested(ctx context.Context, targets, others []string) (fset *token.FileSet, loaded []*packages.Package, err error) {
	fset = token.NewFileSet()
	loaded, err = s.Load(ctx, LoadOptions{Mode: Alone, Tests: true, Fset: fset}, targets...)
	if err != nil {
		return nil, nil, fmt.Errorf("load the packages of the targets: %w", err)
	}
	slices.SortStableFunc(loaded, func(a, b *packages.Package) int { return len(b.Syntax) - len(a.Syntax) })
	if len(others) > 0 {
		more, err := s.Load(ctx, LoadOptions{Mode: Alone, Fset: fset}, others...)
		if err != nil {
			return nil, nil, fmt.Errorf("load the packages that the targets use: %w", err)
		}
		loaded = append(loaded, more...)
	}
	return fset, loaded, nil
}

// IsTestMain reports whether a package is the main package of a test binary, which the go command writes.
func IsTestMain(p *packages.Package) bool { return strings.HasSuffix(p.ID, ".test") }

// Problem returns why a package does not compile, on one line; empty: it compiles. It prefers an imported package that cannot be found.
func Problem(p *packages.Package) string {
	if len(p.Errors) == 0 {
		return ""
	}
	list := slices.Concat(missing(p), p.Errors)
	for _, e := range list {
		if e.Pos != "" && e.Pos != "-" {
			return e.Pos + ": " + e.Msg
		}
	}
	return telling(list[0].Msg)
}

// missing returns the errors of imported packages that cannot be found.
func missing(p *packages.Package) (list []packages.Error) {
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		if imported := p.Imports[path]; imported.Name == "" {
			list = append(list, imported.Errors...)
		}
	}
	return list
}

// telling returns the first line of what the go command says that has more than the name of a package; the whole text if there is none.
func telling(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return text
}
