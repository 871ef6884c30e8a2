package focus

import (
	"context"
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/cfg"

	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Spot is a piece of code without branches that inputs are to reach.
type Spot struct {
	Where    string // the value of -focus that it comes from
	File     string // absolute path
	Line     int
	Function string // import path, and the names of type and function
	node     int
}

// maxNamed limits the names that an error lists.
const maxNamed = 6

// lineForm is a value such as parse.go:120.
var lineForm = regexp.MustCompile(`^(.+\.go):([0-9]+)$`)

// punctuation matches the parentheses and the star around a receiver, and type parameters.
var punctuation = regexp.MustCompile(`\(\*?|\)|\[.*?\]`)

// isRange reports whether a value of -focus is a range of git revisions.
func isRange(where string) bool {
	return strings.Contains(where, "..") && !strings.HasPrefix(where, "./") && !strings.HasPrefix(where, "../") && !lineForm.MatchString(where)
}

// finder finds spots in a graph.
type finder struct {
	*graph
	src       *Source
	git       Git
	reachable []bool // by node: a target can execute it
}

// find returns the spots that a value of -focus names. The error is a *usage.Error unless git cannot be started.
func (f *finder) find(ctx context.Context, where string) ([]Spot, error) {
	if m := lineForm.FindStringSubmatch(where); m != nil {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, usage.Errorf("-focus %s: %q is no line number", where, m[2])
		}
		s, err := f.line(where, m[1], n)
		return []Spot{s}, err
	}
	if isRange(where) {
		return f.changed(ctx, where)
	}
	s, err := f.named(where)
	return []Spot{s}, err
}

// line returns the spot of a line of a file.
func (f *finder) line(where, name string, line int) (Spot, error) {
	file, err := f.file(where, name)
	if err != nil {
		return Spot{}, err
	}
	if s, ok := f.spot(where, file, line); ok {
		return s, nil
	}
	near := ""
	if list := f.codeLines(file); len(list) > 0 {
		i, _ := slices.BinarySearch(list, line)
		around := list[max(0, i-1):min(len(list), i+1)]
		near = "; the nearest line with code is " + strconv.Itoa(around[0])
		if len(around) > 1 {
			near = fmt.Sprintf("; the nearest lines with code are %d and %d", around[0], around[1])
		}
	}
	return Spot{}, usage.Errorf("-focus %s: line %d has no code%s", where, line, near)
}

// file returns the absolute path of a file of the graph: name is relative to the working directory or to the root of the module, or a suffix.
func (f *finder) file(where, name string) (string, error) {
	for _, path := range []string{f.src.abs(name), filepath.Join(f.src.Root, name)} {
		if _, ok := f.files[path]; ok {
			return path, nil
		}
	}
	var found []string
	suffix := string(filepath.Separator) + filepath.Clean(filepath.FromSlash(name))
	for path := range f.files {
		if strings.HasSuffix(path, suffix) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", usage.Errorf("-focus %s: several files have this name: %s", where, f.names(found))
	}
	for _, path := range []string{f.src.abs(name), filepath.Join(f.src.Root, name)} {
		if importsC(path) {
			return "", cgo(where)
		}
		if _, err := os.Stat(path); err == nil {
			return "", usage.Errorf("-focus %s: no target uses this file: no test binary with a target contains it", where)
		}
	}
	return "", usage.Errorf("-focus %s: there is no file %s in %s or in the root of the module, and no test binary with a target contains a file of this name", where, name, f.src.Dir)
}

// importsC reports whether a file uses cgo, so that the compiler gets generated files in its place.
func importsC(path string) bool {
	tree, err := goparser.ParseFile(token.NewFileSet(), path, nil, goparser.ImportsOnly)
	return err == nil && slices.ContainsFunc(tree.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

func cgo(where string) error {
	return usage.Errorf(`-focus %s: the file imports "C", and gnaw cannot assign the counters of such files to lines; name code of another file`, where)
}

// names joins paths, relative to the root of the module.
func (f *finder) names(paths []string) string {
	list := make([]string, 0, len(paths))
	for _, p := range paths {
		list = append(list, report.Source{Root: f.src.Root}.Relative(p))
	}
	return enumerate(list)
}

// enumerate joins names, at most maxNamed of them.
func enumerate(list []string) string {
	if more := len(list) - maxNamed; more > 0 {
		return strings.Join(list[:maxNamed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(list, ", ")
}

// named returns the spot of a function: the beginning of its body.
func (f *finder) named(where string) (Spot, error) {
	want, dir := where, ""
	if strings.HasPrefix(where, ".") {
		folder, name := path.Split(where)
		base, function, ok := strings.Cut(name, ".")
		if name == "" || strings.HasPrefix(name, ".") || !ok {
			return Spot{}, malformed(where)
		}
		dir, want = f.src.abs(filepath.Join(filepath.FromSlash(folder), base)), function
	} else if base := path.Base(where); !strings.Contains(base, ".") || strings.HasSuffix(base, ".") {
		return Spot{}, malformed(where)
	}
	want = punctuation.ReplaceAllString(want, "")
	var found []*function
	var similar []string
	for _, fn := range f.functions {
		if fn.decl == nil {
			continue
		}
		_, last := path.Split(fn.name)
		short := last[strings.Index(last, ".")+1:]
		switch {
		case dir != "" && filepath.Dir(fn.file) == dir && short == want,
			dir == "" && (fn.name == want || strings.HasSuffix(fn.name, "/"+want)):
			found = append(found, fn)
		case want[strings.LastIndex(want, ".")+1:] == fn.decl.Name.Name:
			similar = append(similar, fn.name)
		}
	}
	slices.Sort(similar)
	switch {
	case len(found) == 1 && filepath.Ext(found[0].file) != ".go":
		return Spot{}, cgo(where)
	case len(found) == 1:
		return f.spotOf(where, found[0].entry), nil
	case len(found) > 1:
		var list []string
		for _, fn := range found {
			list = append(list, fn.name)
		}
		slices.Sort(list)
		return Spot{}, usage.Errorf("-focus %s: several functions have this name: %s", where, enumerate(list))
	case len(similar) > 0:
		return Spot{}, usage.Errorf("-focus %s: no target uses a function of this name; there is %s", where, enumerate(slices.Compact(similar)))
	}
	return Spot{}, usage.Errorf("-focus %s: no package that a target uses has this function", where)
}

func malformed(where string) error {
	return usage.Errorf("-focus %s: want file.go:120, pkg.Func, pkg.Type.Method, or a git range such as HEAD~3..", where)
}

// spot returns the spot of a line; ok is false if it has no code.
func (f *finder) spot(where, file string, line int) (s Spot, ok bool) {
	best, at := -1, token.NoPos
	for _, fn := range f.files[file] {
		if first, last := f.lineOf(fn.from), f.lineOf(fn.until); line < first || line > last {
			continue
		}
		if line == f.lineOf(fn.from) && fn.decl != nil {
			return f.withLine(f.spotOf(where, fn.entry), line), true
		}
		for id := fn.entry; id < fn.last; id++ {
			p, ok := f.begins(id, line)
			if ok && (best < 0 || f.lineOf(p) == line && (f.lineOf(at) != line || p < at) || f.lineOf(at) != line && p > at) {
				best, at = id, p
			}
		}
	}
	if best < 0 {
		return s, false
	}
	return f.withLine(f.spotOf(where, best), line), true
}

// begins returns the first position on a line of the code of a node, or the position of the statement of several lines that contains the line.
// A line with `case` belongs to the code behind it.
func (f *finder) begins(id, line int) (at token.Pos, ok bool) {
	b := f.nodes[id].block
	if b == nil || !b.Live {
		return at, false
	}
	switch c := b.Stmt.(type) {
	case *ast.CaseClause:
		if f.lineOf(c.Case) == line && b.Kind == cfg.KindSwitchCaseBody {
			return c.Case, true
		}
	case *ast.CommClause:
		if f.lineOf(c.Case) == line && b.Kind == cfg.KindSelectCaseBody {
			return c.Case, true
		}
	}
	for _, n := range b.Nodes {
		if f.lineOf(n.Pos()) <= line && line <= f.lineOf(n.End()) && (!ok || n.Pos() < at) {
			at, ok = n.Pos(), true
		}
	}
	return at, ok
}

// codeLines returns the lines of a file on which code begins, in ascending order.
func (f *finder) codeLines(file string) (list []int) {
	for _, fn := range f.files[file] {
		for id := fn.entry; id < fn.last; id++ {
			if f.nodes[id].block == nil {
				continue
			}
			for _, n := range f.nodes[id].block.Nodes {
				list = append(list, f.lineOf(n.Pos()))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (f *finder) lineOf(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

// spotOf returns the spot of a node.
func (f *finder) spotOf(where string, id int) Spot {
	fn := f.nodes[id].function
	s := Spot{Where: where, File: fn.file, Function: fn.name, node: id, Line: f.lineOf(fn.from)}
	if nodes := f.nodes[id].block.Nodes; len(nodes) > 0 && (id != fn.entry || fn.decl == nil) {
		s.Line = f.lineOf(nodes[0].Pos())
	}
	return s
}

func (f *finder) withLine(s Spot, line int) Spot {
	s.Line = line
	return s
}
