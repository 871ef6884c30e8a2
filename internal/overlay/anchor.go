package overlay

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// AnchorError says that a file of the user's Go distribution is not as gnaw knows it.
type AnchorError struct {
	Version string // of Go, as in "go1.26.1"
	File    string // below GOROOT/src, as in "testing/fuzz.go"
	Anchor  string // name of the place that was to be edited
	Reason  string // as in "not found"
}

// Error names the Go version, the file and the anchor, and says what to do.
func (e *AnchorError) Error() string {
	return fmt.Sprintf("inject into %s of %s: anchor %q: %s: this Go version is not known to gnaw; "+
		"use go1.25 to go1.27 or a newer gnaw", e.File, e.Version, e.Anchor, e.Reason)
}

// errAbsent and errTwice are what most anchors fail with.
var (
	errAbsent = errors.New("not found")
	errTwice  = errors.New("found more than once")
)

// splice replaces the bytes from..to of a source text.
type splice struct {
	from, to int
	text     string
}

// source is a Go file that is edited by splicing text at the positions of nodes: what is not edited stays byte for
// byte, and as long as no splice changes the number of lines, positions in stack traces stay right.
type source struct {
	name    string
	text    []byte
	fset    *token.FileSet
	file    *ast.File
	splices []splice
}

// parseSource reads text as the Go file name.
func parseSource(name string, text []byte) (*source, error) {
	s := &source{name: name, text: text, fset: token.NewFileSet()}
	file, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	s.file = file
	return s, nil
}

// offset is where pos lies in the text, whatever //line comments say.
func (s *source) offset(pos token.Pos) int { return s.fset.PositionFor(pos, false).Offset }

// insert puts text behind the byte before pos.
func (s *source) insert(pos token.Pos, text string) {
	s.splices = append(s.splices, splice{s.offset(pos), s.offset(pos), text})
}

// replace puts text in place of all from..to.
func (s *source) replace(from, to token.Pos, text string) {
	s.splices = append(s.splices, splice{s.offset(from), s.offset(to), text})
}

// replaceBody gives fn the body text and keeps the number of lines.
func (s *source) replaceBody(fn *ast.FuncDecl, text string) {
	from, to := fn.Body.Lbrace+1, fn.Body.Rbrace
	old := s.text[s.offset(from):s.offset(to)]
	end := " "
	if n := bytes.Count(old, []byte("\n")); n > 0 {
		end = strings.Repeat("\n", n)
	}
	s.replace(from, to, " "+text+end)
}

// result is the text with all splices made.
func (s *source) result() []byte {
	slices.SortStableFunc(s.splices, func(a, b splice) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, sp := range s.splices {
		out = append(out, s.text[at:sp.from]...)
		out = append(out, sp.text...)
		at = sp.to
	}
	return append(out, s.text[at:]...)
}

// function finds the one function name with a body; recv is the name of the receiver's type, empty for none.
func (s *source) function(recv, name string) (*ast.FuncDecl, error) {
	var found []*ast.FuncDecl
	for _, d := range s.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Name.Name == name && fn.Body != nil && receiver(fn) == recv {
			found = append(found, fn)
		}
	}
	return one(found)
}

// receiver is the name of the type that fn is a method of.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// one is the only element of found.
func one[T any](found []T) (T, error) {
	var zero T
	switch len(found) {
	case 0:
		return zero, errAbsent
	case 1:
		return found[0], nil
	default:
		return zero, errTwice
	}
}

// all collects the nodes of type N below root that keep accepts.
func all[N ast.Node](root ast.Node, keep func(N) bool) []N {
	var found []N
	ast.Inspect(root, func(n ast.Node) bool {
		if x, ok := n.(N); ok && keep(x) {
			found = append(found, x)
		}
		return true
	})
	return found
}

// params lists the names of fn's parameters in order.
func params(fn *ast.FuncType) []string {
	var names []string
	for _, f := range fn.Params.List {
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// blankUnused turns imports that the edited text no longer uses into blank ones, so that it still compiles.
func blankUnused(name string, text []byte) ([]byte, error) {
	s, err := parseSource(name, text)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, sel := range all(s.file, func(*ast.SelectorExpr) bool { return true }) {
		if id, ok := sel.X.(*ast.Ident); ok {
			used[id.Name] = true
		}
	}
	for _, im := range s.file.Imports {
		local := code.ImportName(im)
		if local == "_" || local == "." || used[local] {
			continue
		}
		from := im.Path.Pos()
		if im.Name != nil {
			from = im.Name.Pos()
		}
		s.replace(from, im.Path.Pos(), "_ ")
	}
	return s.result(), nil
}

// takes checks the names of the parameters of fn.
func takes(fn *ast.FuncDecl, want ...string) error {
	if got := params(fn.Type); !slices.Equal(got, want) {
		return fmt.Errorf("parameters are (%s), not (%s)", strings.Join(got, ", "), strings.Join(want, ", "))
	}
	return nil
}
