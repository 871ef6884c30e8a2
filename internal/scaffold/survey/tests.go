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
)

// Limits of the seeds of a target.
const (
	MaxTexts = 24  // for each target
	maxText  = 600 // bytes of each
	maxFile  = 4 << 10
)

// testFunc is a function in a test file.
type testFunc struct {
	mentions map[string]bool // functions of the package under test
	helpers  []string        // functions and variables of test files
	texts    []string
	target   string // name of the fuzz target that it is; empty: it is none
}

// readTests adds what the tests of a package say about its functions.
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
		fn.Texts = spread(texts(fn.Texts))
	}
}

// reached returns what a function of a test mentions, itself or through others, and the texts in it and in the variables that it uses.
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

// testReader reads the declarations of a test file.
type testReader struct {
	path string // of the package under test
	pkg  *packages.Package
}

// declaration calls yield for each function and variable that a declaration has.
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

// read reads a body or a value.
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

// use notes the function or variable that an identifier stands for.
func (r testReader) use(id *ast.Ident, f *testFunc) {
	switch obj := r.pkg.TypesInfo.Uses[id].(type) {
	case *types.Func:
		if obj.Pkg() == nil || strings.TrimSuffix(obj.Pkg().Path(), "_test") != r.path {
			return
		}
		f.mentions[keyOf(obj)] = true
		f.helpers = append(f.helpers, obj.Name())
	case *types.Var:
		if obj.Parent() == r.pkg.Types.Scope() {
			f.helpers = append(f.helpers, obj.Name())
		}
	}
}

// labels are names of fields in tables of tests whose values are no inputs.
var labels = []string{"name", "desc", "description", "title", "label", "comment", "err", "error", "errmsg", "errstr", "wanterr", "expectederr", "msg", "message", "reason"}

// elements reads the elements of a composite literal without those that describe a test.
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

// add adds what another part of the same function has.
func (f *testFunc) add(part *testFunc) {
	for key := range part.mentions {
		f.mentions[key] = true
	}
	f.helpers, f.texts = append(f.helpers, part.helpers...), append(f.texts, part.texts...)
}

// call notes the method that json.Unmarshal calls.
func (r testReader) call(c *ast.CallExpr, f *testFunc) {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) != 2 {
		return
	}
	if fn, ok := r.pkg.TypesInfo.Uses[sel.Sel].(*types.Func); ok && fn.FullName() == "encoding/json.Unmarshal" {
		if named := namedOf(r.pkg.TypesInfo.TypeOf(c.Args[1])); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == r.path {
			f.mentions[named.Obj().Name()+".UnmarshalJSON"] = true
		}
	}
}

// messages are functions whose arguments are for people.
var messages = []string{
	"Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf", "Run", "Setenv", "Sprintf", "Printf", "Println", "Print", "New", "Getenv", "Chdir",
}

// messageName returns the name of the function, if it is called with sentences for people: a method of a T, or a function of fmt or
// errors; empty: it is not.
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

// texts returns those that can be seeds, each once.
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

// spread picks at most MaxTexts, evenly.
func spread(list []string) []string {
	if len(list) <= MaxTexts {
		return list
	}
	picked := make([]string, MaxTexts)
	for i := range picked {
		picked[i] = list[i*len(list)/MaxTexts]
	}
	return picked
}

// globs returns patterns for the small files in testdata that texts name: one for each folder and extension.
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

// hasSmall reports whether a pattern matches a file that can be a seed.
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
