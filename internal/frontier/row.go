package frontier

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Row is a side of a branch that no input takes. Its JSON form is what gnaw frontier -json prints.
type Row struct {
	Package   string    `json:"package"` // import path
	Path      string    `json:"-"`       // of the source
	File      string    `json:"file"`    // import path and base name, as in profiles
	Function  string    `json:"function"`
	Line      int       `json:"line"`               // of the condition
	Column    int       `json:"column"`             // from 1; in bytes
	Condition string    `json:"condition"`          // its source on one line
	Missing   string    `json:"missing"`            // what never happens: "true", "false", "default", "none of the cases", …
	Behind    int       `json:"behind"`             // how many statements are executed only if the side is taken
	Inputs    int       `json:"inputs"`             // how many inputs evaluate the whole condition
	Targets   []string  `json:"targets"`            // names of the targets of these inputs
	Target    fuzz.Name `json:"-"`                  // the first of them
	Of        string    `json:"of,omitempty"`       // the whole condition of which Condition is an operand; empty: Condition is the whole condition
	Times     uint64    `json:"times"`              // how often the inputs evaluate the whole condition; failing inputs count until they fail; 0: not known
	Chain     []string  `json:"calls,omitempty"`    // the functions through which Target may execute Function, from the target to the function; nil: not known
	Focus     string    `json:"command,omitempty"`  // the command that fuzzes towards the side; the caller of Explain sets it
	Compared  *Operands `json:"compared,omitempty"` // nil: no comparison of the condition was recorded
	Help
	Class int `json:"-"` // its place in the order of rows; one of the constants such as classValue

	branch     branch
	source     *source
	limit      bool              // the condition compares with a limit: with < or >, or with a value that is not between those that were seen
	wantsError bool              // a call has to return an error
	reached    bitset            // the inputs that evaluate the condition
	varying    map[ast.Expr]bool // the leaves whose values differ between inputs
}

// count adds to a row how many inputs evaluate its condition and how often, and their targets. head is the block of the condition.
func (f *Frontier) count(row *Row, head *hit, evaluated evaluation) {
	row.Inputs, row.reached, row.Times = evaluated.count(), evaluated.inputs, head.times
	if evaluated.numbers != nil {
		for t, n := range evaluated.numbers {
			if n > 0 {
				row.addTarget(f.reach.targets[t])
			}
		}
		return
	}
	first := func(sp span) uint64 {
		if hits := f.reach.within(row.source, sp); len(hits) > 0 {
			return hits[0].times
		}
		return 0
	}
	for _, sp := range row.branch.earlier {
		row.Times -= min(row.Times, first(sp))
	}
	if body := row.branch.loop; body != nil { // the condition is evaluated again after each round
		row.Times += first(span{body.Lbrace, body.Rbrace})
	}
	row.Times = max(row.Times, uint64(row.Inputs))
	for i, in := range f.reach.inputs {
		if evaluated.inputs.has(i) {
			row.addTarget(in.target)
		}
	}
}

// addTarget adds the target of an input that evaluates the condition.
func (r *Row) addTarget(t fuzz.Name) {
	if r.Targets == nil {
		r.Target = t
	}
	if !slices.Contains(r.Targets, t.Func) {
		r.Targets = append(r.Targets, t.Func)
	}
}

// maxCondition is the length of the longest condition that a sentence has as a whole, in characters.
const maxCondition = 100

// cut shortens a long condition.
func cut(condition string) string {
	if c := []rune(condition); len(c) > maxCondition {
		return string(c[:maxCondition]) + " ..."
	}
	return condition
}

// Sentence returns the condition and what never happens, as in "a > 1: never true".
func (r *Row) Sentence() string {
	of := ""
	if r.Of != "" {
		of = ", in " + cut(r.Of)
	}
	return fmt.Sprintf("%s: never %s%s", cut(r.Condition), r.Missing, of)
}

// Reach returns how many statements are behind the side, and how many inputs reach the condition and how often, as in "2 statements behind it; 1
// input of FuzzParse reaches the condition once".
func (r *Row) Reach() string {
	verb, times := "reach", ""
	if r.Inputs == 1 {
		verb = "reaches"
	}
	switch r.Times {
	case 0:
	case 1:
		times = " once"
	default:
		times = fmt.Sprintf(" %d times", r.Times)
	}
	return fmt.Sprintf("%s behind it; %s of %s %s the condition%s", report.Plural(r.Behind, "statement"), report.Plural(r.Inputs, "input"),
		strings.Join(r.Targets, ", "), verb, times)
}

// Command returns the command that shows what would help the first target of the row. It works in the module of the target.
func (r *Row) Command() string {
	return "gnaw frontier " + report.Quoted(r.Target.Func) + " " + report.Quoted(r.Target.Package)
}

// describe returns the source of the condition, and what never happens.
func (b branch) describe(s *source) (condition, missing string) {
	switch b.kind {
	case kindIf, kindFor:
		if b.want {
			return s.text(b.cond), "true"
		}
		return s.text(b.cond), "false"
	case kindRange:
		if b.want {
			return "range " + s.text(b.cond), "an element"
		}
		return "range " + s.text(b.cond), "no element"
	case kindDefault:
		if b.stmt == b.owner {
			return b.header(s), "none of the cases"
		}
		return b.header(s), "default"
	case kindSelect:
		if c := b.stmt.(*ast.CommClause); c.Comm != nil {
			return "select", "case " + s.text(c.Comm)
		}
		return "select", "default"
	}
	var list []string
	for _, e := range b.cases {
		list = append(list, s.text(e))
	}
	return b.header(s), "case " + strings.Join(list, ", ")
}

// header is the source of a switch before its clauses.
func (b branch) header(s *source) string {
	switch sw := b.owner.(type) {
	case *ast.SwitchStmt:
		if sw.Tag != nil {
			return "switch " + s.text(sw.Tag)
		}
	case *ast.TypeSwitchStmt:
		return "switch " + s.text(sw.Assign)
	}
	return "switch"
}

// Aim returns the line of the first statement of the missing side; if the side has none, that of the condition.
func (r *Row) Aim() int {
	if r.branch.first == nil {
		return r.Line
	}
	return r.source.at(r.branch.first.Pos()).Line
}

// Details describes the row in lines: the code behind it, the inputs that reach it, their nearest comparison, and what would help.
func (r *Row) Details() []string {
	list := []string{r.Reach()}
	if len(r.Chain) > 1 {
		list = append(list, "calls: "+strings.Join(elide(r.Chain), " > "))
	}
	if c := r.Compared; c != nil {
		list = append(list, fmt.Sprintf("%s of %s compares %s%s with %s%s", c.Entry, c.Target, c.Seen, c.where(), c.Wanted, c.last()))
	}
	if r.Text != "" {
		list = append(list, "-> "+r.Text)
	}
	return list
}

// maxCalls is the number of functions in the longest chain of calls that is described as a whole.
const maxCalls = 8

// elide leaves out the middle of a long chain of calls.
func elide(chain []string) []string {
	if len(chain) <= maxCalls {
		return chain
	}
	return slices.Concat(chain[:3], []string{"..."}, chain[len(chain)-4:])
}
