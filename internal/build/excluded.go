package build

import (
	"cmp"
	"context"
	buildtag "go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// ExcludedFile is a test file with fuzz tests that the go command leaves out of the build.
type ExcludedFile struct {
	File    string   // absolute
	Targets []string // names
	Rule    string   // the line //go:build; empty: the name of the file names another system
	Tag     string   // a tag with which the build has the file; empty: there is no such tag
}

// maxExcludedFolders limits the folders that [ListExcluded] adds to those that go list knows.
const maxExcludedFolders = 1000

// ListExcluded finds the test files with fuzz tests that a build with these flags leaves out, in the folders that match patterns, as seen
// from dir. It skips what cannot be read or parsed.
func ListExcluded(ctx context.Context, tc gocommand.Toolchain, dir string, patterns, flags []string) (list []ExcludedFile) {
	// A pattern with "..." matches no package all of whose files are excluded, so the folders are named as well.
	names := slices.Concat(patterns, testFolders(dir, patterns))
	packages, err := code.List[struct {
		Dir            string
		IgnoredGoFiles []string
	}](ctx, tc.Source(dir, flags), code.Query{Patterns: names})
	if err != nil {
		return nil
	}
	for _, p := range packages {
		for _, name := range p.IgnoredGoFiles {
			if strings.HasSuffix(name, "_test.go") {
				list = appendExcluded(list, gocommand.Absolute(name, p.Dir))
			}
		}
	}
	slices.SortFunc(list, func(a, b ExcludedFile) int { return cmp.Compare(a.File, b.File) })
	return slices.CompactFunc(list, func(a, b ExcludedFile) bool { return a.File == b.File })
}

// testFolders returns the folders with test files that patterns such as ./... match.
func testFolders(dir string, patterns []string) (folders []string) {
	for _, p := range patterns {
		root, ok := strings.CutSuffix(p, "/...")
		if !ok || !strings.HasPrefix(root, ".") {
			continue
		}
		_ = filepath.WalkDir(filepath.Join(dir, root), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || len(folders) == maxExcludedFolders:
				return fs.SkipAll
			case d.IsDir() && path != filepath.Join(dir, root) && leftOut(path, d.Name()):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
				return nil
			}
			rel, err := filepath.Rel(dir, filepath.Dir(path))
			if name := "./" + filepath.ToSlash(rel); err == nil && !slices.Contains(folders, name) {
				folders = append(folders, name)
			}
			return nil
		})
	}
	return folders
}

// leftOut reports whether a pattern with "..." does not match a folder and those below it.
func leftOut(path, name string) bool {
	if name == "testdata" || name == "vendor" || name[0] == '_' || name[0] == '.' {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// appendExcluded adds a file if it has fuzz tests.
func appendExcluded(list []ExcludedFile, file string) []ExcludedFile {
	text, err := disk.Read(file, disk.MaxSource)
	if err != nil {
		return list
	}
	targets, err := targetsIn(file, text)
	if err != nil || len(targets) == 0 {
		return list
	}
	e := ExcludedFile{File: file}
	for _, t := range targets {
		e.Targets = append(e.Targets, t.Func)
	}
	if tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.PackageClauseOnly); err == nil {
		e.Rule = strings.TrimSpace(code.Constraint(tree))
	}
	if rule, err := buildtag.Parse(e.Rule); err == nil {
		e.Tag = tagFor(rule)
	}
	return append(list, e)
}

// tagFor returns a tag of a constraint that the user can set, and that alone fulfils the constraint. It is empty if there is none.
func tagFor(rule buildtag.Expr) (tag string) {
	var tags []string
	rule.Eval(func(t string) bool { tags = append(tags, t); return false })
	rule.Eval(func(t string) bool { tags = append(tags, t); return true })
	for _, tag := range tags {
		if !ofSystem(tag) && rule.Eval(func(t string) bool { return t == tag || holds(t) }) {
			return tag
		}
	}
	return ""
}

// systemTags are tags that the go command sets, or that name a system.
var systemTags = strings.Fields("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris unix wasip1 windows " +
	"zos 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm cgo gc gccgo ignore")

func ofSystem(tag string) bool {
	return slices.Contains(systemTags, tag) || strings.HasPrefix(tag, "go1.") || strings.HasPrefix(tag, "goexperiment.")
}

// holds reports whether the go command sets a tag on this system.
func holds(tag string) bool {
	return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "gc" || tag == "unix" && runtime.GOOS != "windows" || strings.HasPrefix(tag, "go1.")
}
