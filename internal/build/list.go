package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/scanner"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// PackageError is a package whose targets cannot be found or built.
type PackageError struct {
	Package string // import path, or what the user wrote for it
	Reason  string
}

// Error names the package and the reason.
func (e PackageError) Error() string { return fmt.Sprintf("load package %s: %s", e.Package, e.Reason) }

// listedPackage is what `go list -json` prints about a package.
type listedPackage struct {
	Dir, ImportPath           string
	Module                    *struct{ Path string }
	Match                     []string
	TestGoFiles, XTestGoFiles []string
	Error                     *code.ListError
	DepsErrors                []*code.ListError
}

// List finds the fuzz tests of the packages that match patterns, as seen from dir, in the order of `go list` and of the
// files. flags are build flags such as -tags or -mod; with no patterns, it is the package in dir.
//
// A package that does not load or parse is a [PackageError], and the others are found nevertheless. A pattern that
// matches no package is a [PatternError], or a [NoModuleError] if dir is in no module.
func List(ctx context.Context, tc Toolchain, dir string, patterns, flags []string) ([]Target, []PackageError, error) {
	packages, err := listPackages(ctx, tc, dir, patterns, flags)
	if err != nil {
		return nil, nil, err
	}
	replaced, err := replacements(tc, dir, flags)
	if err != nil {
		return nil, nil, err
	}
	var targets []Target
	var broken []PackageError
	for _, p := range packages {
		found, err := p.targets(tc.Version, replaced)
		targets = append(targets, found...)
		if err != nil {
			broken = append(broken, PackageError{p.ImportPath, err.Error()})
		}
	}
	return targets, broken, nil
}

// listPackages runs go list.
func listPackages(ctx context.Context, tc Toolchain, dir string, patterns, flags []string) ([]*listedPackage, error) {
	packages, err := code.List[*listedPackage](ctx, tc.Source(dir, flags), code.Query{Patterns: patterns})
	if err != nil {
		return nil, fmt.Errorf("list the packages of %s: %w", strings.Join(patterns, " "), err)
	}
	return packages, tc.unmatched(ctx, packages, patterns, dir)
}

// PatternError is a pattern that matches no package.
type PatternError struct{ pattern, dir, reason, remedy string }

// Error names the pattern, and where it was looked for.
func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %s matches no package in %s%s; %s", e.pattern, e.dir, e.reason, e.remedy)
}

// NoModuleError says that a folder in which patterns match no package is in no module.
type NoModuleError struct{ dir string }

// Error names the folder.
func (e *NoModuleError) Error() string {
	return fmt.Sprintf("no go.mod in %s or its parents; run gnaw in a module", e.dir)
}

// unmatched reports the patterns that match no package. For some of them the go command only warns; for the others it
// lists a package of that name, in no folder, that has the reason in it.
func (tc *Toolchain) unmatched(ctx context.Context, packages []*listedPackage, patterns []string, dir string) error {
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
	out, err := tc.output(ctx, dir, "env", "GOMOD", "GOWORK")
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

// targets finds the fuzz tests of a package. The error is why the package, or one of its files, cannot be used with a toolchain.
func (p *listedPackage) targets(toolchain string, replaced map[string]string) (targets []Target, err error) {
	if p.Error != nil {
		return nil, errors.New(p.Error.String())
	}
	var module string
	if p.Module != nil {
		module = p.Module.Path
	}
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file := absolute(name, p.Dir)
		text, err := disk.Read(actual(file, replaced), disk.MaxSource)
		if err != nil {
			return nil, fmt.Errorf("read a test file: %w", err)
		}
		found, err := targetsIn(file, text)
		if syntax := (*scanner.Error)(nil); errors.As(err, &syntax) {
			return nil, unreadable(toolchain, err)
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

// replacements is the user's overlay, from flags or GOFLAGS: files may exist in it only.
func replacements(tc Toolchain, dir string, flags []string) (map[string]string, error) {
	file, err := userOverlay(tc, flags)
	if err != nil || file == "" {
		return nil, err
	}
	return readOverlay(file, dir)
}

// actual is the file that is read for file under an overlay.
func actual(file string, replaced map[string]string) string {
	if to := replaced[filepath.Clean(file)]; to != "" {
		return to
	}
	return file
}
