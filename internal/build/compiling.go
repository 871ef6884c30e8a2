package build

import (
	"cmp"
	"slices"
	"strings"
)

// importGraph has the packages that each package imports, by import path. The variants of a package for tests count as the package.
type importGraph map[string][]string

// add adds the imports of a package as `go list -deps -test` prints it. renamed maps import paths in the source to import paths of packages.
func (g importGraph) add(path string, imports []string, renamed map[string]string) {
	path = withoutVariant(path)
	for _, i := range imports {
		i = withoutVariant(cmp.Or(renamed[i], i))
		if i != "C" && !slices.Contains(g[path], i) {
			g[path] = append(g[path], i)
		}
	}
	if g[path] == nil {
		g[path] = []string{} // a package without imports has a key, too
	}
}

// compiling follows the build of a test binary by the commands that the go command prints. Before the go command compiles a package, it compiles
// all imports of the package or finds them in its cache. So when it prints the command for a package, these imports are ready.
type compiling struct {
	graph  importGraph
	needed map[string]bool // the packages of the test binary; true: it is ready
	ready  int             // the number of them that are ready
	show   func(ready, needed int)
}

// newCompiling follows the build of the test binary of a package.
func newCompiling(g importGraph, pkg string, show func(ready, needed int)) *compiling {
	c := &compiling{graph: g, needed: map[string]bool{}, show: show}
	g.walk(pkg+".test", func(path string) bool {
		_, seen := c.needed[path]
		c.needed[path] = false
		return !seen
	})
	return c
}

// walk calls visit for a package and, if visit returns true, walks its imports.
func (g importGraph) walk(path string, visit func(path string) bool) {
	imports, ok := g[path]
	if !ok || !visit(path) {
		return
	}
	for _, i := range imports {
		g.walk(i, visit)
	}
}

// command updates the state with a command that the go command runs.
func (c *compiling) command(line string) {
	before := c.ready
	if strings.Contains(line, "importcfg.link") { // of the linker, which needs all packages
		for path := range c.needed {
			c.finish(path)
		}
	} else if _, rest, ok := strings.Cut(line, " -p "); ok { // of the compiler or the assembler
		path, _, _ := strings.Cut(rest, " ")
		for _, i := range c.graph[path] {
			c.graph.walk(i, c.finish)
		}
	}
	if c.ready > before {
		c.show(c.ready, len(c.needed))
	}
}

// finish notes that a package is ready, and reports whether that is new.
func (c *compiling) finish(path string) bool {
	if done, ok := c.needed[path]; done || !ok {
		return false
	}
	c.needed[path] = true
	c.ready++
	return true
}

// withoutVariant returns the import path of a package that is compiled for a test, as in "example.com/m [example.com/m.test]".
func withoutVariant(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}
