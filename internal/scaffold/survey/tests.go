package survey

import (
	"go/ast"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

const (
	maxTexts = 24      // number of texts in Func.Texts
	maxText  = 600     // bytes of a text
	maxFile  = 4 << 10 // bytes of a file that Func.Globs matches
)

// testFunc is a function or a package-level variable in a test file.
type testFunc struct {
	mentions map[string]bool // keys of the functions of the package under test that it mentions
	helpers  []string        // names of the functions and variables that it uses
	texts    []string        // constants in it
	target   string          // name of the fuzz target that it declares; empty: it declares none
}

// readTests sets the fields of the functions of p, and those of p, that tell what the tests do.
func readTests(p *Package, v *variants) {
	funcs, order := map[string]*testFunc{}, []string(nil)
	for _, from := range []*packages.Package{v.inside, v.outside} {
		if from == nil {
			continue
		}
		readPassed(p, from)
		r := testReader{path: p.Path, pkg: from}
		for _, file := range from.Syntax {
			if isTest(from.Fset, file) {
				for _, d := range file.Decls {
					r.declaration(d, func(name string, f *testFunc) { funcs[name] = f; order = append(order, name) })
				}
			}
		}
	}
	byKey := map[string]*Func{}
	for _, f := range p.Funcs {
		byKey[f.Key] = f
	}
	for _, name := range order {
		f := funcs[name]
		mentions, texts := reached(funcs, name)
		for key := range mentions {
			if fn := byKey[key]; fn != nil {
				fn.Texts = append(fn.Texts, texts...)
			}
			if f.target != "" && p.Called[key] == "" {
				p.Called[key] = f.target
			}
		}
	}
	for _, fn := range p.Funcs {
		fn.Globs = globs(p.Dir, fn.Texts)
		fn.Texts = Spread(texts(fn.Texts), maxTexts)
	}
}

// reached returns the functions of the package that a test mentions, directly or through its helpers. It also returns the texts in the
// test, and those in helpers that mention no function of the package.
func reached(funcs map[string]*testFunc, name string) (mentions map[string]bool, texts []string) {
	mentions, seen := map[string]bool{}, map[string]bool{}
	var visit func(name string, isRoot bool)
	visit = func(name string, isRoot bool) {
		f := funcs[name]
		if f == nil || seen[name] {
			return
		}
		seen[name] = true
		for key := range f.mentions {
			mentions[key] = true
		}
		if isRoot || len(f.mentions) == 0 {
			texts = append(texts, f.texts...)
		}
		for _, h := range f.helpers {
			visit(h, false)
		}
	}
	visit(name, true)
	return mentions, texts
}

// testReader reads the declarations of test files.
type testReader struct {
	path string // of the package under test
	pkg  *packages.Package
}

// declaration calls yield for each function and variable that d declares.
func (r testReader) declaration(d ast.Decl, yield func(name string, f *testFunc)) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		f := r.read(d.Body)
		if d.Recv == nil && strings.HasPrefix(d.Name.Name, "Fuzz") {
			f.target = d.Name.Name
		}
		yield(d.Name.Name, f)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			s, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for i, name := range s.Names {
				if i < len(s.Values) {
					yield(name.Name, r.read(s.Values[i]))
				}
			}
		}
	}
}

// read returns the texts in a function body or a value, and the functions and variables that it uses.
func (r testReader) read(root ast.Node) *testFunc {
	f := &testFunc{mentions: map[string]bool{}}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			return false // tags
		case *ast.CompositeLit:
			if text, ok := constantBytes(r.pkg.TypesInfo, n); ok {
				f.texts = append(f.texts, text)
				return false
			}
			r.elements(n, f)
			return false
		case *ast.CallExpr:
			r.call(n, f)
			switch name := messageName(n.Fun); {
			case name == "Run" && len(n.Args) == 2:
				f.add(r.read(n.Args[1]))
				return false
			case name != "":
				return false
			}
		case *ast.Ident:
			r.use(n, f)
		}
		if x, ok := n.(ast.Expr); ok {
			if v := r.pkg.TypesInfo.Types[x].Value; v != nil && v.Kind() == constant.String {
				f.texts = append(f.texts, constant.StringVal(v))
				return false
			}
		}
		return true
	})
	return f
}

// use adds the function or variable that an identifier stands for.
func (r testReader) use(id *ast.Ident, f *testFunc) {
	switch obj := r.pkg.TypesInfo.Uses[id].(type) {
	case *types.Func:
		if obj.Pkg() == nil || strings.TrimSuffix(obj.Pkg().Path(), "_test") != r.path {
			return
		}
		f.mentions[code.LocalName(obj)] = true
		f.helpers = append(f.helpers, obj.Name())
	case *types.Var:
		if obj.Parent() == r.pkg.Types.Scope() {
			f.helpers = append(f.helpers, obj.Name())
		}
	}
}

// labels lists names of fields in tables of tests whose values are not inputs.
var labels = []string{"name", "desc", "description", "title", "label", "comment", "err", "error", "errmsg", "errstr", "wanterr", "expectederr", "msg", "message", "reason"}

// elements reads the elements of a composite literal, except for fields that describe a test.
func (r testReader) elements(lit *ast.CompositeLit, f *testFunc) {
	s, _ := types.Unalias(r.pkg.TypesInfo.TypeOf(lit)).Underlying().(*types.Struct)
	for i, elt := range lit.Elts {
		name, value := "", elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if id, ok := kv.Key.(*ast.Ident); ok && s != nil {
				name = id.Name
			} else {
				f.add(r.read(kv.Key))
			}
		} else if s != nil && i < s.NumFields() {
			name = s.Field(i).Name()
		}
		if !slices.Contains(labels, strings.ToLower(name)) {
			f.add(r.read(value))
		}
	}
}

// add adds the contents of a part of f.
func (f *testFunc) add(part *testFunc) {
	for key := range part.mentions {
		f.mentions[key] = true
	}
	f.helpers, f.texts = append(f.helpers, part.helpers...), append(f.texts, part.texts...)
}

// call adds the UnmarshalJSON method that json.Unmarshal calls.
func (r testReader) call(c *ast.CallExpr, f *testFunc) {
	if named := unmarshaledType(r.pkg.TypesInfo, c); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == r.path {
		f.mentions[named.Obj().Name()+".UnmarshalJSON"] = true
	}
}

// messages lists functions whose arguments are messages or names.
var messages = []string{
	"Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf", "Run", "Setenv", "Sprintf", "Printf", "Println", "Print", "New", "Getenv", "Chdir",
}

// messageName returns the name of a function in messages that is a method of a T or B, or a function of package fmt, errors, log or os;
// empty: fun is another one.
func messageName(fun ast.Expr) string {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(messages, sel.Sel.Name) {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); ok && slices.Contains([]string{"t", "b", "f", "tb", "fmt", "errors", "log", "os"}, id.Name) {
		return sel.Sel.Name
	}
	return ""
}

// texts returns the texts in list that can be seeds, without duplicates.
func texts(list []string) (good []string) {
	seen := map[string]bool{}
	for _, s := range list {
		if s != "" && len(s) <= maxText && !seen[s] && !strings.HasPrefix(s, "testdata/") {
			seen[s] = true
			good = append(good, s)
		}
	}
	return good
}

// Spread returns at most n elements of list, which have even distances in it.
func Spread(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	picked := make([]string, n)
	for i := range picked {
		picked[i] = list[i*len(list)/n]
	}
	return picked
}

// globs returns patterns for the small files in testdata that texts name: one for each folder and extension, and at most two.
func globs(dir string, texts []string) (patterns []string) {
	for _, s := range texts {
		s = filepath.ToSlash(filepath.Clean(strings.TrimPrefix(s, "./")))
		if s != "testdata" && !strings.HasPrefix(s, "testdata/") || strings.HasPrefix(s, "testdata/fuzz") {
			continue
		}
		pattern := s
		if info, err := os.Stat(filepath.Join(dir, s)); err == nil && info.IsDir() {
			pattern = s + "/*"
		} else if i := strings.IndexAny(s, "%*"); i >= 0 || err == nil {
			pattern = filepath.ToSlash(filepath.Dir(s)) + "/*" + filepath.Ext(s)
		}
		if !slices.Contains(patterns, pattern) && hasSmall(dir, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	if len(patterns) > 2 {
		patterns = patterns[:2]
	}
	return patterns
}

// hasSmall reports whether a pattern matches a file of at most maxFile bytes.
func hasSmall(dir, pattern string) bool {
	names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Mode().IsRegular() && info.Size() <= maxFile
	})
}
