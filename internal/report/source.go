package report

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Source says where the code of a target is.
type Source struct {
	Root    string // absolute folder of the module that gnaw was started in
	Module  string // its path
	Package string // import path of the target's package
	Dir     string // absolute folder of that package

	// Original returns the file that a file is a copy of, or the file itself. nil: no file is a copy.
	Original func(file string) string
}

// Locate returns the calls with all that the source code shows about them: the function of a line that was logged, the
// line within the function, whose code it is, and the file relative to the root of the module if it is below it. What cannot
// be found stays as it is.
func (s Source) Locate(calls []finding.Call) []finding.Call {
	located := make([]finding.Call, len(calls))
	for i, c := range calls {
		function := cmp.Or(c.Func, c.In)
		file := s.file(function, c.File)
		kept := false // it has targets that gnaw init has written for a dependency
		if s.Original != nil {
			original := s.Original(file)
			kept = original != file && !filepath.IsAbs(s.Relative(original))
			file = original
		}
		if name, first, ok := enclosing(file, c.Line); ok {
			c.Offset = c.Line - first + 1
			if c.Func == "" {
				c.Func = cmp.Or(packageOf(c.In), s.Package) + "." + name
			}
		}
		c.Func = cmp.Or(c.Func, c.In)
		c.File, c.Foreign = s.Relative(file), s.foreign(c.Func, file)
		if c.Foreign && !kept && !standard(c) {
			c.Module = moduleOf(c.Func, file)
		}
		located[i] = c
	}
	return located
}

// file returns the path of a file whose name the runtime or package testing has printed, for a line of function; empty: it is of
// the package.
func (s Source) file(function, name string) string {
	slashed := filepath.ToSlash(name)
	if pkg := packageOf(function); !strings.Contains(slashed, "/") && function != "" {
		slashed = pkg + "/" + name // of a //line directive
	}
	switch {
	case filepath.IsAbs(name):
		return name
	case !strings.Contains(slashed, "/"):
		return filepath.Join(s.Dir, name)
	case strings.Contains(slashed, "@"): // with -trimpath, of a dependency
		return name
	}
	// With -trimpath, names begin with an import path.
	if rest, ok := strings.CutPrefix(slashed, s.Package+"/"); ok && !strings.Contains(rest, "/") {
		return filepath.Join(s.Dir, rest)
	}
	module, root := s.module()
	if rest, ok := strings.CutPrefix(slashed, module+"/"); ok && module != "" {
		return filepath.Join(root, filepath.FromSlash(rest))
	}
	return name
}

// packageOf returns the import path of the package of a function, without the ending of an external test package. In names of
// functions a dot in the last element is %2e.
func packageOf(function string) string {
	head, _, _ := strings.Cut(function, "[") // type arguments have paths too
	slash := strings.LastIndexByte(head, '/') + 1
	last, _, _ := strings.Cut(head[slash:], ".")
	return strings.TrimSuffix(head[:slash]+strings.ReplaceAll(last, "%2e", "."), "_test")
}

// module returns the path of the module and its folder. In a workspace whose root is no module the path is that of the folder,
// which no import path begins with; there they follow from the target's package, as far as the names of its folders are in its path.
func (s Source) module() (module, root string) {
	if !filepath.IsAbs(s.Module) {
		return s.Module, s.Root
	}
	module, root = s.Package, s.Dir
	for root != s.Root && strings.Contains(module, "/") && path.Base(module) == filepath.Base(root) {
		module, root = path.Dir(module), filepath.Dir(root)
	}
	return module, root
}

// foreign reports whether a function, in a file as [Source.file] returns it, is not of the module's own code. That is below the root,
// and not there in a copy of a dependency: in a vendor folder, or in a module cache, where folders have versions. Generated code may
// name any file; there the function decides.
func (s Source) foreign(function, file string) bool {
	rel := s.Relative(file)
	if !filepath.IsAbs(file) || filepath.IsAbs(rel) {
		return strings.Contains(file, "@") || !s.hasPackage(packageOf(function))
	}
	for folder := range strings.SplitSeq(path.Dir(rel), "/") {
		if folder == "vendor" || strings.Contains(folder, "@") {
			return true
		}
	}
	return false
}

// hasPackage reports whether a package is of the module, by its path.
func (s Source) hasPackage(pkg string) bool {
	module, _ := s.module()
	return pkg == s.Package || pkg == module || strings.HasPrefix(pkg, module+"/")
}

// Relative returns a path relative to the root of the module, with slashes; the path itself if it is not below.
func (s Source) Relative(name string) string {
	rel, err := filepath.Rel(s.Root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return filepath.ToSlash(rel)
}

// enclosing returns the name of the function that a line belongs to, and its first line.
func enclosing(file string, line int) (name string, first int, ok bool) {
	if !filepath.IsAbs(file) || !strings.HasSuffix(file, ".go") || line <= 0 || !readable(file) {
		return "", 0, false
	}
	fset := token.NewFileSet()
	text, err := disk.Read(file, disk.MaxSource)
	if err != nil {
		return "", 0, false
	}
	tree, _ := parser.ParseFile(fset, file, text, parser.SkipObjectResolution) // the compiler of a newer Go accepts what this parser does not know
	if tree == nil {
		return "", 0, false
	}
	for _, d := range tree.Decls {
		f, isFunc := d.(*ast.FuncDecl)
		if !isFunc {
			continue
		}
		// The places that the compiler has put into the binary follow //line directives, as these do.
		from, to := fset.Position(f.Pos()), fset.Position(f.End())
		if from.Line <= line && line <= to.Line {
			return f.Name.Name, from.Line, true
		}
	}
	return "", 0, false
}
