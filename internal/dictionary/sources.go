package dictionary

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

const (
	// maxSource is the size in bytes of the largest source file that is read; larger ones are generated tables.
	maxSource = 1 << 20
	// maxSources is how many bytes of sources are read at most, a second or so of parsing.
	maxSources = 24 << 20
	// foreign is the distance of packages that are not the user's: behind all that are.
	foreign = 1000
)

// Place says where the sources of a fuzz target are.
type Place struct {
	Dir    string              // folder of the package that has the target
	Target string              // name of the fuzz function
	Getenv func(string) string // value of an environment variable, "" if it is not set
}

// Sources returns the words of the package under test, then those of what it imports, the best first: the user's own
// packages by distance, and at the end other modules that it imports directly. There are at most [MaxWords].
//
// It is best effort and never fails: a folder without the function Target (the test binary runs somewhere else) gives
// nothing, and files that do not parse are left out. It may take some 100 ms; when ctx ends, it returns what it has.
func Sources(ctx context.Context, p Place) [][]byte {
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return nil
	}
	r := &reader{words: newRanking(), seen: map[string]bool{dir: true}}
	first := r.parse(ctx, dir, true)
	if !first.defines(p.Target) {
		return nil
	}
	r.modules = findModules(dir, p.Getenv)
	r.take(first, 0, p.Target)
	own, others := r.imports(first)
	for distance := 2; len(own) > 0 && !r.done(ctx); distance += 2 {
		var next []string
		for _, dir := range own {
			if r.done(ctx) {
				break
			}
			pkg := r.parse(ctx, dir, false)
			r.take(pkg, distance, "")
			more, _ := r.imports(pkg)
			next = append(next, more...)
		}
		own = next
	}
	for _, dir := range others {
		if r.done(ctx) {
			break
		}
		r.take(r.parse(ctx, dir, false), foreign, "")
	}
	return r.words.words()
}

// reader reads packages.
type reader struct {
	words   *ranking
	modules *modules
	seen    map[string]bool // folders
	read    int             // bytes
}

// done reports whether reading more is of no use.
func (r *reader) done(ctx context.Context) bool {
	return ctx.Err() != nil || r.words.full() || r.read > maxSources
}

// source is one file of a package.
type source struct {
	tree   *ast.File
	isTest bool
}

func (s source) defines(name string) bool {
	for _, d := range s.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
			return true
		}
	}
	return false
}

// sources are the files of a package that parse, in the order of their names.
type sources []source

// defines reports whether a test file has the function.
func (s sources) defines(name string) bool {
	return slices.ContainsFunc(s, func(f source) bool { return f.isTest && f.defines(name) })
}

// parse reads the package in a folder. Files for other systems are read too: what they look for is no worse.
func (r *reader) parse(ctx context.Context, dir string, tests bool) (found sources) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		isTest := strings.HasSuffix(name, "_test.go")
		if !strings.HasSuffix(name, ".go") || strings.ContainsAny(name[:1], "._") || isTest && !tests || e.IsDir() || ctx.Err() != nil {
			continue
		}
		text, err := disk.Read(filepath.Join(dir, name), maxSource)
		if err != nil {
			continue
		}
		r.read += len(text)
		tree, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution) // what parses has words, whatever else is in the file
		if tree != nil && tree.Name != nil {
			found = append(found, source{tree, isTest})
		}
	}
	return found.withoutPrograms()
}

// withoutPrograms leaves out the programs beside a package: generators with the build tag ignore. A package that is a
// program has tests that say so, or nobody imports it.
func (s sources) withoutPrograms() sources {
	if slices.ContainsFunc(s, func(f source) bool { return f.isTest && strings.TrimSuffix(f.tree.Name.Name, "_test") == "main" }) {
		return s
	}
	return slices.DeleteFunc(s, func(f source) bool { return f.tree.Name.Name == "main" })
}

// take adds the words of a package. Tests that have nothing to do with the target are a little further away.
func (r *reader) take(pkg sources, distance int, target string) {
	consts := constants{}
	for _, s := range pkg {
		for _, d := range s.tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
				consts.declare(g)
			}
		}
	}
	for _, s := range pkg {
		f := file{words: r.words, consts: consts, distance: distance, isTest: s.isTest}
		if s.isTest && !s.defines(target) {
			f.distance++
		}
		extract(s.tree, f)
	}
}

// imports returns the folders of what a package imports and nobody has read, the user's and those of other modules.
// What only tests import from other modules is about testing.
func (r *reader) imports(pkg sources) (own, others []string) {
	tested := map[string]bool{} // import path: something other than a test imports it
	for _, s := range pkg {
		for _, imp := range s.tree.Imports {
			if path, err := strconv.Unquote(imp.Path.Value); err == nil {
				tested[path] = tested[path] || !s.isTest
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(tested)) {
		dir, isOwn := r.modules.find(path)
		if dir == "" || r.seen[dir] || !isOwn && !tested[path] {
			continue
		}
		r.seen[dir] = true
		if isOwn {
			own = append(own, dir)
		} else {
			others = append(others, dir)
		}
	}
	return own, others
}
