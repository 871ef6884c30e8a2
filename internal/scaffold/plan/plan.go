// Package plan decides which fuzz targets a package gets. Its rules look at signatures, at names and at what the package's tests call; the
// names of functions that mean something are known here only. It executes and writes nothing.
package plan

import (
	"cmp"
	"regexp"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// Param is a parameter of the function that is fuzzed.
type Param struct{ Name, Type string }

// Callee is a function with all arguments but the input.
type Callee struct {
	Name    string   // as messages name it
	Expr    string   // Go expression of the call; $ is the input
	Results []Result // in order
}

// Result is what a function returns.
type Result string

// The kinds of results.
const (
	Value Result = "value"
	Err   Result = "error" // the last one, nil if the input is taken
	OK    Result = "ok"    // a last bool beside a value: whether the input is taken
)

// Target is a fuzz target to be written.
type Target struct {
	Name    string // of the function
	Kind    Kind
	Covers  []string   // keys of the functions that it is about
	Params  []Param    // the input first
	Lists   []string   // statements that declare what parameters choose from, in each execution
	Values  []string   // Go expressions for the parameters behind the input in seeds
	Seeds   [][]string // Go expressions, one for each parameter
	Globs   []string   // files whose contents are seeds of a target with one parameter
	Setup   string     // statement that declares Var, in each execution; empty: there is none
	Var     string     // value whose methods are called
	Fn      Callee
	Inverse Callee // of Pair, Print, Marshal, Twin and Stream: the other function
	Type    string // of the values of Print, Marshal, Laws and Methods
	Nilable bool   // a value that is taken may be nil
	Valid   bool   // of Pair: only text in UTF-8 comes back as it was
	Input   string // type that the functions take: string, []byte or io.Reader
	Output  string // type that the inverse gives
	Extra   []Op   // Laws: Equal, Less; Methods: what is called
	Imports []string
	Weaker  *Target // what is written if the property does not hold; nil: nothing
}

// Op is a method that a target calls on a value.
type Op struct{ Name, Expr string }

// Skipped is a function that gets no target.
type Skipped struct{ Key, Reason string }

// Plan returns the targets for a package in the order of its functions, and what is left out. only restricts the functions by their
// keys; nil: all.
func Plan(p *survey.Package, only *regexp.Regexp) (targets []*Target, skipped []Skipped) {
	pl := &planner{p: p, covered: map[string]bool{}, names: map[string]bool{}}
	for _, f := range p.Funcs {
		if only != nil && !only.MatchString(f.Key) {
			continue
		}
		if pl.covered[f.Key] {
			continue
		}
		if name := p.Called[f.Key]; name != "" {
			skipped = append(skipped, Skipped{f.Key, name + " calls it"})
			continue
		}
		t, reason := pl.plan(f)
		if t == nil {
			if reason != "" {
				skipped = append(skipped, Skipped{f.Key, reason})
			}
			continue
		}
		for w := t; w != nil; w = w.Weaker {
			for _, key := range w.Covers {
				pl.covered[key] = true
			}
		}
		targets = append(targets, t)
	}
	targets, repeated := pl.drop(targets)
	return targets, append(skipped, repeated...)
}

// planner plans the targets of one package.
type planner struct {
	p       *survey.Package
	covered map[string]bool // functions that a target is about
	names   map[string]bool // of targets
}

// rule makes a target of a function; nil: it does not fit. A reason says why it fits and cannot be used.
type rule func(pl *planner, f *survey.Func) (t *Target, reason string)

// rules are tried in this order.
var rules = []rule{laws, pair, twin, stream, marshal, idempotent, parse, read, methods, call}

func (pl *planner) plan(f *survey.Func) (*Target, string) {
	avoid := pl.avoid(f)
	for _, r := range rules {
		t, reason := r(pl, f)
		if t == nil && reason == "" {
			continue
		}
		if t != nil && pl.isSimple(t, f) {
			reason = "there is nothing in it that can fail"
		}
		if reason = cmp.Or(avoid, reason); reason != "" {
			return nil, reason
		}
		pl.finish(t, f)
		return t, ""
	}
	return nil, ""
}

// isSimple reports whether there is nothing to find in the functions that a target calls: nothing that can panic, and for a property
// nothing but comparisons.
func (pl *planner) isSimple(t *Target, f *survey.Func) bool {
	switch t.Kind {
	case Parse:
		return f.Code.Simple
	case Print, Marshal:
		return f.Code.Compares && pl.writer(t).Code.Simple
	case Pair, Twin:
		g := pl.p.Func(t.Inverse.Name)
		return g != nil && g.Code.Compares && f.Code.Compares
	}
	return false
}

// finish gives a target, and the weaker one that may take its place, names of their own, and seeds.
func (pl *planner) finish(t *Target, f *survey.Func) {
	base := t.Name
	t.Name = free(base, pl.p.Taken, pl.names)
	pl.names[t.Name] = true
	if t.Seeds == nil {
		pl.seed(t, f)
	}
	if w := t.Weaker; w != nil {
		if w.Name == base {
			w.Name = t.Name
		} else {
			w.Name = free(w.Name, pl.p.Taken, pl.names)
		}
		pl.names[w.Name] = true
		if w.Seeds == nil {
			pl.seed(w, f)
		}
	}
}

// free returns a name for a target that nothing else has: neither what is declared, nor another target.
func free(base string, declared, names map[string]bool) string {
	name := base
	for i := 2; declared[name] || names[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}
