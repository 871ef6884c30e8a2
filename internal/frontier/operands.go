package frontier

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// operand is a part of a condition with && or ||, without these operators.
type operand struct {
	source *source
	file   string   // as in coverage.Block
	whole  ast.Expr // the condition
	expr   ast.Expr
	number int // in its package, from 0
	branch branch
	head   *hit          // the block of the condition
	seen   map[bool]bool // its values in the recorded executions
}

// operandsFile is the name of the file that [Frontier.Observe] adds to a package.
const operandsFile = "gnaw_operands.go"

// operandsIn returns the operands of conditions and other expressions with && or || in a file.
func operandsIn(s *source, tree *ast.File) (list []*operand) {
	name := filepath.Base(s.at(tree.Pos()).Filename)
	if strings.HasSuffix(name, "_test.go") || moved(tree) {
		return nil
	}
	whole := map[ast.Expr]bool{}
	add := func(b branch, e ast.Expr) {
		parts, _ := s.split(e, true)
		whole[e] = true
		if len(parts) < 2 {
			return
		}
		for _, l := range parts {
			if s.value(l.expr) == nil && s.isBool(l.expr) {
				list = append(list, &operand{source: s, file: s.fileName(name), whole: e, expr: l.expr, branch: b, seen: map[bool]bool{}})
			}
		}
	}
	for _, b := range branches(tree) {
		switch sw, _ := b.owner.(*ast.SwitchStmt); {
		case b.cond != nil && b.want && b.kind != kindRange:
			add(b, b.cond)
		case b.kind == kindCase && sw != nil && sw.Tag == nil:
			for _, e := range b.cases {
				add(b, e)
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if ok && whole[e] {
			return false
		}
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			add(branch{kind: kindIf, cond: b, at: b.Pos(), want: true}, b)
			return false
		}
		return true
	})
	return list
}

// isBool reports whether an expression has the type bool, and not a named type with bool as its base. It is true if the type is not known.
func (s *source) isBool(e ast.Expr) bool {
	t := s.info.Types[e].Type
	if t == nil || t == types.Typ[types.Invalid] {
		return true
	}
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// moved reports whether a //line directive changes positions in a file.
func moved(tree *ast.File) bool {
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// locate finds the block of an operand, and numbers the operands of a package. It reports whether the block is there.
func (f *Frontier) locate(o *operand) bool {
	o.head = f.reach.around(o.source.position(o.branch.at))
	if o.head != nil {
		o.number = o.source.operands
		o.source.operands++
	}
	return o.head != nil
}

// Observe returns changed sources, by their paths. In them, each operand of && and || is an argument of a function that compares two numbers in a
// line that identifies the operand and its value, so that [Frontier.Record] finds the value in the recorded comparisons. One source of each package
// is new. The sources do not compile if an operand has another type than bool and gnaw does not know its type.
func (f *Frontier) Observe() map[string][]byte {
	texts := map[string][]byte{}
	edits := map[*source]map[string][]*operand{}
	for _, o := range f.operands {
		if edits[o.source] == nil {
			edits[o.source] = map[string][]*operand{}
		}
		name := filepath.Base(o.source.at(o.expr.Pos()).Filename)
		edits[o.source][name] = append(edits[o.source][name], o)
	}
	for s, files := range edits {
		for name, list := range files {
			texts[filepath.Join(s.dir, name)] = observed(s, name, list)
		}
		texts[filepath.Join(s.dir, operandsFile)] = observers(s)
	}
	return texts
}

// observed returns a source in which operands are arguments of their functions. Lines stay where they are.
func observed(s *source, name string, list []*operand) []byte {
	type insertion struct {
		at   int
		text string
	}
	var all []insertion
	for _, o := range list {
		from, to := s.at(o.expr.Pos()).Offset, s.at(o.expr.End()).Offset
		all = append(all, insertion{from, fmt.Sprintf("gnawOperand%d(", o.number)}, insertion{to, ")"})
	}
	slices.SortStableFunc(all, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	text, at := s.texts[name], 0
	for _, i := range all {
		out.Write(text[at:i.at])
		out.WriteString(i.text)
		at = i.at
	}
	out.Write(text[at:])
	return out.Bytes()
}

// observersLine is the line of the function of the first operand. Each function has two lines: one for the value true, one for false.
const observersLine = 7

// maxSeen is the largest number of comparisons that a process makes for a value of an operand. This includes comparisons before the first input,
// and comparisons of inputs whose log is full.
const maxSeen = 100

// observers returns the source of the functions of the operands of a package.
func observers(s *source) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\nvar gnawSeen [%d]uint8\nvar gnawMore = [256]bool{%s}\nvar gnawZero uint32\nvar gnawSame bool\n",
		s.packageName(), 2*s.operands, strings.Repeat("true, ", maxSeen))
	for i := range s.operands {
		note := func(n int) string {
			return fmt.Sprintf("if gnawMore[gnawSeen[%d]] { gnawSeen[%d]++; gnawSame = gnawZero == 77 }", n, n)
		}
		fmt.Fprintf(&out, "func gnawOperand%d(v bool) bool { if v { %s; return v }\n%s; return v }\n", i, note(2*i), note(2*i+1))
	}
	return out.Bytes()
}

// packageName returns the name in the package clauses.
func (s *source) packageName() string {
	for name, tree := range s.files {
		if !strings.HasSuffix(name, "_test.go") {
			return tree.Name.Name
		}
	}
	return ""
}

// observation is an operand with a value.
type observation struct {
	operand *operand
	value   bool
}

// observation returns the operand and the value that a line of operandsFile in a package stands for; ok is false if there is none.
func (f *Frontier) observation(pkg string, line int) (o observation, ok bool) {
	n := line - observersLine
	for _, op := range f.operands {
		if n >= 0 && op.number == n/2 && op.source.path == pkg {
			return observation{op, n%2 == 0}, true
		}
	}
	return observation{}, false
}

// inputs returns the inputs that evaluate the condition of an operand.
func (o *operand) inputs(f *Frontier) bitset {
	return o.head.inputs.without(f.reach.reaching(o.source, o.branch.earlier))
}

// addOperands adds a row for each operand that always has the same value. If a missing side needs the other value, the new row replaces the row
// of the side.
func (f *Frontier) addOperands() {
	parents, replaced := f.parents(), map[*Row]bool{}
	for _, o := range f.operands {
		if o.seen[true] == o.seen[false] {
			continue
		}
		parent := parents[outcome{o.expr, o.seen[false]}]
		row := &Row{
			Package: o.source.path, Path: filepath.Join(o.source.dir, path.Base(o.file)), File: o.file, Function: o.head.Function, Condition: o.source.text(o.expr), Of: o.source.text(o.whole),
			source: o.source, branch: o.branch,
		}
		if parent != nil {
			row.Behind = parent.Behind
			row.branch.first, row.branch.behind = parent.branch.first, parent.branch.behind
			replaced[parent] = true
		} else {
			row.branch.first = nil
		}
		at := o.source.at(o.expr.Pos())
		row.Line, row.Column = at.Line, at.Column
		row.branch.kind, row.branch.cond, row.branch.cases, row.branch.want, row.branch.at = kindIf, o.expr, nil, o.seen[false], o.expr.Pos()
		row.Missing = fmt.Sprint(row.branch.want)
		f.count(row, o.head, evaluation{inputs: o.inputs(f)})
		f.Rows = append(f.Rows, row)
	}
	f.Rows = slices.DeleteFunc(f.Rows, func(r *Row) bool { return replaced[r] })
}

// outcome is an expression with a value.
type outcome struct {
	expr  ast.Expr
	value bool
}

// parents returns the rows of sides that need an expression to have a value.
func (f *Frontier) parents() map[outcome]*Row {
	rows := map[outcome]*Row{}
	for _, r := range f.Rows {
		list, _ := r.leaves()
		for _, l := range list {
			if at := (outcome{l.expr, l.want}); rows[at] == nil {
				rows[at] = r
			}
		}
	}
	return rows
}
