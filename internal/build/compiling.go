package build

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/group"
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

// traced runs the go command with -x in dir, and passes the lines of its error output to command. It returns no output, because -x mixes the
// lines of errors with those of commands.
func (tc *Toolchain) traced(ctx context.Context, dir string, args []string, command func(line string)) error {
	cmd := tc.Source(dir, nil).Command(slices.Insert(slices.Clone(args), 1, "-x")...)
	cmd.Stderr = &lineWriter{each: command}
	return group.Run(ctx, cmd)
}

// maxTraced is how many bytes of a line a lineWriter keeps. The import path is near the beginning of a command.
const maxTraced = 4096

// lineWriter calls a function for the beginning of each line that is written to it.
type lineWriter struct {
	each func(line string)
	line []byte
}

// Write implements [io.Writer].
func (w *lineWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		w.line = append(w.line, line[:min(len(line), maxTraced-len(w.line))]...)
		if whole {
			w.each(string(w.line))
			w.line = w.line[:0]
		}
		rest = after
	}
	return len(p), nil
}
