// Package write generates the source of fuzz targets. It reads and writes no files.
package write

import (
	"bytes"
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
	"github.com/gnaw-fuzz/gnaw/internal/wrap"
)

// File returns the formatted source of a test file of package pkg that contains the targets. If header is not empty, the file begins with
// this comment. File returns an error if a target is not valid Go.
func File(header, pkg string, targets []*plan.FuzzFunc) ([]byte, error) {
	var body bytes.Buffer
	for _, t := range targets {
		text, err := Target(t)
		if err != nil {
			return nil, err
		}
		body.WriteString("\n" + text)
	}
	var file bytes.Buffer
	if header != "" {
		fmt.Fprintf(&file, "%s\n\n", header)
	}
	fmt.Fprintf(&file, "package %s\n\n", pkg)
	if list := Imports(body.String(), targets); len(list) == 1 {
		fmt.Fprintf(&file, "import %q\n", list[0])
	} else {
		fmt.Fprintf(&file, "import (\n%s)\n", groups(list))
	}
	file.Write(body.Bytes())
	src, err := format.Source(file.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the targets of package %s: %w", pkg, err)
	}
	return src, nil
}

// standard maps the names of the standard packages that targets use to their import paths.
var standard = map[string]string{
	"bytes": "bytes", "strings": "strings", "io": "io", "os": "os", "filepath": "path/filepath", "json": "encoding/json", "context": "context",
	"utf8": "unicode/utf8",
}

// Imports returns the sorted import paths that targets and their source text need.
func Imports(text string, targets []*plan.FuzzFunc) []string {
	text = withoutLiterals(text)
	list := []string{"testing"}
	for _, t := range targets {
		list = append(list, t.Imports...)
	}
	for name, path := range standard {
		if regexp.MustCompile(`(^|[^\w."` + "`" + `])` + name + `\.[A-Z]`).MatchString(text) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// groups returns the lines of an import declaration, first those of the standard library.
func groups(list []string) string {
	var std, others strings.Builder
	for _, path := range list {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			fmt.Fprintf(&others, "\t%q\n", path)
		} else {
			fmt.Fprintf(&std, "\t%q\n", path)
		}
	}
	if others.Len() > 0 {
		std.WriteString("\n")
	}
	return std.String() + others.String()
}

var literals = regexp.MustCompile("`[^`]*`|\"(\\\\.|[^\"\\\\])*\"|//[^\n]*")

// withoutLiterals removes string literals and comments.
func withoutLiterals(text string) string { return literals.ReplaceAllString(text, `""`) }

// Target returns the formatted source of one target and its comment.
func Target(t *plan.FuzzFunc) (string, error) {
	v := &view{t}
	var out bytes.Buffer
	for _, line := range wrap.Lines(v.doc(), 77) {
		fmt.Fprintf(&out, "// %s\n", line)
	}
	fmt.Fprintf(&out, "func %s(f *testing.F) {\n", t.Name)
	v.seeds(&out)
	params := make([]string, len(t.Params))
	for i, p := range t.Params {
		params[i] = p.Name + " " + p.Type
		if i+1 < len(t.Params) && t.Params[i+1].Type == p.Type {
			params[i] = p.Name
		}
	}
	fmt.Fprintf(&out, "\tf.Fuzz(func(t *testing.T, %s) {\n", strings.Join(params, ", "))
	if err := bodies.ExecuteTemplate(&out, string(t.Kind), v); err != nil {
		return "", fmt.Errorf("write %s: %w", t.Name, err)
	}
	out.WriteString("\t})\n}\n")
	src, err := format.Source(out.Bytes())
	if err != nil {
		return "", fmt.Errorf("format %s: %w\n%s", t.Name, err, out.Bytes())
	}
	return string(src), nil
}

// seeds writes the calls of f.Add.
func (v *view) seeds(out *bytes.Buffer) {
	t := v.FuzzFunc
	switch {
	case len(t.Seeds) == 0:
	case len(t.Seeds) == 1:
		fmt.Fprintf(out, "\tf.Add(%s)\n", strings.Join(t.Seeds[0], ", "))
	case v.isLoop():
		list := make([]string, len(t.Seeds))
		for i, row := range t.Seeds {
			list[i] = row[0]
		}
		value := "s"
		if t.Params[0].Type == "[]byte" {
			value = "[]byte(s)"
			for i := range list {
				list[i] = strings.TrimSuffix(strings.TrimPrefix(list[i], "[]byte("), ")")
			}
		}
		args := append([]string{value}, t.Seeds[0][1:]...)
		fmt.Fprintf(out, "\tfor _, s := range []string{%s} {\n\t\tf.Add(%s)\n\t}\n", lines(list), strings.Join(args, ", "))
	default:
		for _, row := range t.Seeds {
			fmt.Fprintf(out, "\tf.Add(%s)\n", strings.Join(row, ", "))
		}
	}
	for i, pattern := range t.Globs {
		value, assign := "data", ":="
		if t.Params[0].Type == "string" {
			value = "string(data)"
		}
		if i > 0 {
			assign = "="
		}
		fmt.Fprintf(out, globSeeds, assign, pattern, value)
	}
}

// isLoop reports whether the seeds differ only in the first parameter.
func (v *view) isLoop() bool {
	return !slices.ContainsFunc(v.Seeds, func(row []string) bool { return !slices.Equal(row[1:], v.Seeds[0][1:]) })
}

const globSeeds = `	files, err %s filepath.Glob(%q)
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) <= 4096 {
			f.Add(%s)
		}
	}
`

// lines returns a list of literals on one line if it is short, and otherwise with one literal on each line.
func lines(list []string) string {
	one := strings.Join(list, ", ")
	if len(one) <= 90 && !strings.Contains(one, "\n") {
		return one
	}
	return "\n" + strings.Join(list, ",\n") + ",\n"
}

// bodies has a template for the body of the fuzz function of each kind of target.
var bodies = template.Must(template.New("").Parse(bodyText))
