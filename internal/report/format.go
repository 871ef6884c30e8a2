package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Formats returns how the source code writes the messages of the calls in the line of a call, which [Source.Locate] has returned: formats of
// functions such as t.Errorf, the arguments of such as t.Error, and texts that are put together by a plus sign.
func (s Source) Formats(c finding.Call) (formats []finding.Format) {
	file := filepath.FromSlash(c.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.Root, file)
	}
	if !strings.HasSuffix(file, ".go") || !readable(file) {
		return nil
	}
	text, err := disk.Read(file, disk.MaxSource)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && fset.Position(call.Pos()).Line <= c.Line && c.Line <= fset.Position(call.End()).Line {
			if f := formatOf(call); len(f) > 0 {
				formats = append(formats, f)
			}
		}
		return true
	})
	return formats
}

// spaced are the functions that put a space between any two arguments.
var spaced = []string{"Error", "Fatal", "Log", "Skip", "Println", "Sprintln", "Panicln", "Fatalln"}

// formatOf returns the format of the text that a call makes of its arguments; nil or one part if there is none.
func formatOf(call *ast.CallExpr) finding.Format {
	for i, arg := range call.Args {
		if parts := partsOf(arg); len(parts) == 1 && i+1 < len(call.Args) && verb.MatchString(parts[0]) {
			return partsOfFormat(parts[0])
		}
	}
	if len(call.Args) == 0 {
		return nil
	}
	all := partsOf(call.Args[0])
	sel, isSelector := call.Fun.(*ast.SelectorExpr)
	if isSelector && slices.Contains(spaced, sel.Sel.Name) {
		for _, arg := range call.Args[1:] {
			next := partsOf(arg)
			all[len(all)-1] += " " + next[0]
			all = append(all, next[1:]...)
		}
	}
	if strings.TrimSpace(strings.Join(all, "")) == "" {
		return nil
	}
	return all
}

// partsOf returns the constant parts of an expression for a text.
func partsOf(x ast.Expr) finding.Format {
	switch x := x.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
			return finding.Format{text}
		}
	case *ast.ParenExpr:
		return partsOf(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			left, right := partsOf(x.X), partsOf(x.Y)
			left[len(left)-1] += right[0]
			return append(left, right[1:]...)
		}
	}
	return finding.Format{"", ""}
}

// verb is a verb of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\[[0-9]+\])?(?:[0-9]+|\*)?(?:\.(?:[0-9]+|\*)?)?(?:\[[0-9]+\])?[a-zA-Z%]`)

// partsOfFormat returns the constant parts of a format of package fmt.
func partsOfFormat(format string) finding.Format {
	parts := finding.Format{""}
	from := 0
	for _, at := range verb.FindAllStringIndex(format, -1) {
		parts[len(parts)-1] += format[from:at[0]]
		if from = at[1]; format[at[1]-1] == '%' {
			parts[len(parts)-1] += "%"
		} else {
			parts = append(parts, "")
		}
	}
	parts[len(parts)-1] += format[from:]
	return parts
}
