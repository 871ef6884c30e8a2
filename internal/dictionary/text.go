package dictionary

import (
	"go/ast"
	"go/constant"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxPieces: words that are taken from one long text.
	maxPieces = 64
	// sentence: a text with so many blanks between words is for people.
	sentence = 2
)

// text takes a string.
func (v visitor) text(s string) {
	switch {
	case strings.Contains(s, "testdata"): // a path
	case len(s) > maxWord:
		v.pieces(s)
	case len(s) == 1:
		if v.class == keyed { // a separator that is looked for
			v.words.add(s, unlikely, v.distance, v.class)
		}
	case blanks(s) >= sentence:
		v.words.add(s, prose, v.distance, v.class)
	case strings.TrimSpace(s) != "" || v.class == keyed && s != "": // a line end of two characters is looked for, too
		v.words.add(s, likely, v.distance, v.class)
	}
}

// pieces takes the words of a long text, such as a document that a test parses.
func (v visitor) pieces(s string) {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if n++; n > maxPieces {
			return
		}
		if len(w) > 1 {
			v.words.add(w, prose, v.distance, v.class)
		}
	}
}

// blanks counts the single blanks between letters.
func blanks(s string) (n int) {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == ' ' && isWordByte(s[i-1]) && isWordByte(s[i+1]) {
			n++
		}
	}
	return n
}

func isWordByte(c byte) bool {
	return c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || strings.IndexByte(`,:;'"%)`, c) >= 0
}

// verb is a verb of package fmt.
var verb = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d.*]*[a-zA-Z%]`)

// format takes what is between the verbs of a format.
func (v visitor) format(s string, b band) {
	for _, part := range verb.Split(s, -1) {
		if part = strings.TrimSpace(part); len(part) > 1 {
			if blanks(part) >= sentence {
				b = prose
			}
			v.words.add(part, b, v.distance, v.class)
		}
	}
}

// call looks at what is called: regular expressions, formats and messages are no words themselves.
func (v visitor) call(n *ast.CallExpr) ast.Visitor {
	pkg, name := callee(n)
	text, isText := v.firstText(n)
	switch {
	case pkg == "regexp" && isText && (strings.HasPrefix(name, "Match") || strings.Contains(name, "Compile")):
		for _, s := range samples(text) {
			v.words.add(s, likely, v.distance, keyed)
		}
		v.arguments(n.Args[1:])
		return nil
	case v.isTest && isReport(name), pkg == "log":
		return nil // not even the arguments: they are what is printed
	case strings.Contains(strings.ToLower(name), "err"), pkg == "errors" && name == "New", pkg == "" && name == "panic":
		if isText {
			v.format(text, prose)
			v.arguments(n.Args[1:])
			return nil
		}
	case isText && v.isTest && name == "Run":
		v.arguments(n.Args[1:])
		return nil
	case pkg == "strings" || pkg == "bytes":
		return visitor{v.file, keyed}
	case strings.HasSuffix(name, "f") && v.hasFormat(n):
		for _, a := range n.Args {
			if s, ok := v.constText(a); ok && verb.MatchString(s) {
				v.format(s, likely)
			} else {
				v.walk(a, v.class)
			}
		}
		return nil
	}
	return v
}

// arguments walks over the other arguments of a call.
func (v visitor) arguments(args []ast.Expr) {
	for _, a := range args {
		v.walk(a, plain)
	}
}

// callee returns the last name of what is called and the one in front of it.
func callee(n *ast.CallExpr) (pkg, name string) {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			pkg = x.Name
		}
		return pkg, f.Sel.Name
	}
	return "", ""
}

// isReport reports whether a method of testing.T prints its arguments.
func isReport(name string) bool {
	switch name {
	case "Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf":
		return true
	}
	return false
}

func (v visitor) firstText(n *ast.CallExpr) (string, bool) {
	if len(n.Args) == 0 {
		return "", false
	}
	return v.constText(n.Args[0])
}

// constText returns the value of a constant string.
func (v visitor) constText(e ast.Expr) (string, bool) {
	x := v.consts.eval(e, -1, 0)
	if x == nil || x.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(x), true
}

func (v visitor) hasFormat(n *ast.CallExpr) bool {
	for _, a := range n.Args {
		if s, ok := v.constText(a); ok && verb.MatchString(s) {
			return true
		}
	}
	return false
}

// tagOptions are parts of tags that control a decoder; they are in no input.
var tagOptions = map[string]bool{
	"omitempty": true, "omitzero": true, "inline": true, "squash": true, "string": true, "-": true, "attr": true,
	"chardata": true, "innerxml": true, "any": true, "cdata": true, "comment": true, "flow": true, "remain": true,
	"required": true, "optional": true, "varint": true, "bytes": true, "opt": true, "rep": true, "proto3": true,
}

// namesInTag returns the names in the tag of a field, if it has one; hidden says that decoders leave the field out.
func namesInTag(tag *ast.BasicLit) (names []string, hidden bool) {
	if tag == nil {
		return nil, false
	}
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return nil, false
	}
	return tagNames(text), strings.Contains(text, `:"-"`)
}

// tagNames returns the names in the tag of a field, such as the two of `json:"id,omitempty" xml:"node>id"`.
func tagNames(tag string) (names []string) {
	for _, m := range tagPair.FindAllStringSubmatch(tag, -1) {
		for _, part := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == '>' || r == ' ' || r == ';' }) {
			if _, value, ok := strings.Cut(part, "="); ok {
				part = value
			}
			if !tagOptions[part] && len(part) > 1 {
				names = append(names, part)
			}
		}
	}
	return names
}

var tagPair = regexp.MustCompile(`[^\s":]+:"((?:[^"\\]|\\.)*)"`)
