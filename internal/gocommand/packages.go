package gocommand

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// ListedPackage is what `go list -json` prints about a package.
type ListedPackage struct {
	Dir, ImportPath           string
	Module                    *struct{ Path string }
	Match                     []string
	TestGoFiles, XTestGoFiles []string
	Error                     *code.ListError
	DepsErrors                []*code.ListError
}

// ListPackages runs go list.
func ListPackages(ctx context.Context, tc Toolchain, dir string, patterns, flags []string) ([]*ListedPackage, error) {
	packages, err := code.List[*ListedPackage](ctx, tc.Source(dir, flags), code.Query{Patterns: patterns})
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", strings.Join(patterns, " "), err)
	}
	return packages, tc.unmatched(ctx, packages, patterns, dir)
}

// PatternError is a pattern that matches no package.
type PatternError struct{ Pattern, dir, reason, remedy string }

// Error names the pattern, and where it was looked for.
func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %s matches no package in %s%s; %s", e.Pattern, e.dir, e.reason, e.remedy)
}

// NoModuleError says that a folder in which patterns match no package is in no module.
type NoModuleError struct{ dir string }

// Error names the folder.
func (e *NoModuleError) Error() string {
	return fmt.Sprintf("no go.mod in %s or its parents; run gnaw in a module", e.dir)
}

// unmatched reports the patterns that match no package. For some of them the go command only warns; for the others it
// lists a package of that name, in no folder, that has the reason in it.
func (tc *Toolchain) unmatched(ctx context.Context, packages []*ListedPackage, patterns []string, dir string) error {
	matched, reasons := map[string]bool{}, map[string]string{}
	for _, p := range packages {
		for _, m := range p.Match {
			if p.Error != nil && p.Dir == "" && p.ImportPath == m {
				reasons[m] = ": " + strings.TrimPrefix(p.Error.String(), "pattern "+m+": ")
				continue
			}
			matched[m] = true
		}
	}
	var errs []error
	for _, pattern := range patterns {
		if !matched[pattern] && (reasons[pattern] != "" || strings.Contains(pattern, "...")) {
			remedy := remedyFor(pattern, dir)
			if strings.Contains(reasons[pattern], "go.work") {
				remedy = cmp.Or(tc.workspace(ctx, dir), remedy)
			}
			errs = append(errs, &PatternError{pattern, cmp.Or(dir, "."), reasons[pattern], remedy})
		}
	}
	if errs != nil && tc.outside(ctx, dir) {
		return &NoModuleError{cmp.Or(dir, ".")}
	}
	return errors.Join(errs...)
}

// remedyFor says what to write in place of a pattern that matches no package, as seen from dir.
func remedyFor(pattern, dir string) string {
	name := strings.TrimSuffix(pattern, "/...")
	folder, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	switch {
	case err == nil && folder.IsDir() && !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern):
		return "write ./" + pattern + " for the folder of that name"
	case IsTargetName(name):
		return "a target is no package; write -fuzz='^" + name + "$' to select it in ./..."
	}
	return "correct the pattern or change the folder"
}

// outside reports whether a folder is in no module and in no workspace.
func (tc *Toolchain) outside(ctx context.Context, dir string) bool {
	out, err := tc.Output(ctx, dir, "env", "GOMOD", "GOWORK")
	module, workspace, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return err == nil && module == os.DevNull && (workspace == "" || workspace == "off")
}

// workspace says how to name the modules of the workspace that dir is in: a pattern of files does not cross from one module into
// another. It is empty if there are none.
func (tc *Toolchain) workspace(ctx context.Context, dir string) string {
	modules, err := code.List[struct{ Dir string }](ctx, tc.Source(dir, nil), code.Query{Modules: true})
	if err != nil {
		return ""
	}
	patterns := []string{}
	for _, m := range modules {
		if rel, err := filepath.Rel(dir, m.Dir); err == nil && filepath.IsLocal(rel) {
			m.Dir = "./" + filepath.ToSlash(rel)
		}
		patterns = append(patterns, m.Dir+"/...")
	}
	return "write the modules of go.work: " + strings.Join(patterns, " ")
}

// IsTargetName reports whether go test takes a function of this name for a fuzz test.
func IsTargetName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}
