// Package plan decides which fuzz targets a package gets. Its rules examine signatures, names and code of functions, and the calls in tests.
// It is the only package that knows what names such as Parse mean. It executes and writes nothing.
package plan

import (
	"cmp"
	"regexp"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// Param is a parameter of the function that is fuzzed.
type Param struct{ Name, Type string }

// Callee is a function and how a target calls it.
type Callee struct {
	Name    string   // its name in messages
	Expr    string   // Go expression of the call with $ for the input; of Laws with $ and # for the two values
	Results []Result // in order
}

// Result is what a function returns.
type Result string

// The kinds of results.
const (
	Value Result = "value"
	Err   Result = "error" // an error as the last result, nil if the function accepts the input
	OK    Result = "ok"    // a bool as the last of two results, true if the function accepts the input
)

// FuzzFunc is a fuzz target that is planned.
type FuzzFunc struct {
	Name    string // FuzzXxx
	Kind    Kind
	Covers  []string   // keys of the functions that it checks, Fn first
	Params  []Param    // parameters of the fuzz function, the input first
	Lists   []string   // statements that declare lists from which parameters choose
	Values  []string   // in seeds: Go expressions for the parameters after the input
	Seeds   [][]string // Go expressions, one for each parameter
	Globs   []string   // patterns of files whose contents are seeds; only if the input is the only parameter
	Setup   string     // statement that declares Var; empty: Fn is no method
	Var     string     // variable whose methods the target calls; Read: of the result
	Fn      Callee
	Inverse Callee // Pair, Print, Marshal, Twin, Stream: the other function; Laws: the parser; Read: the method that reads the next value, if any
	Type    string // Print, Marshal, Laws, Methods: the type of the values
	Nilable bool   // a value may be nil although the function accepts the input
	Valid   bool   // Pair: the property holds for valid UTF-8 only
	Input   string // type of the input of Fn: string, []byte or io.Reader
	Output  string // type of the result of Inverse; Read: of the variable in which Inverse stores a value; empty: it stores none
	Extra   []Op   // Laws: methods that must agree with Fn; Methods: the methods that are called
	Imports []string
	Weaker  *FuzzFunc // the target that replaces this one if its property does not hold; nil: none
}

// Op is a method that a target calls on a value.
type Op struct{ Name, Expr string }

// Skipped is a function that gets no target.
type Skipped struct{ Key, Reason string }

// Plan returns the targets for a package in the order of its functions, and the functions that have a suitable signature and get none. only
// restricts the functions by their keys; nil: all.
func Plan(p *survey.Package, only *regexp.Regexp) (targets []*FuzzFunc, skipped []Skipped) {
	pl := &planner{caller: caller{p}, covered: map[string]bool{}, names: map[string]bool{}, drafts: map[string]*FuzzFunc{}}
	for _, f := range p.Funcs {
		if p.Called[f.Key] != "" {
			pl.drafts[f.Key] = assumed(pl, f)
		}
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
	caller                       // of the functions of the package
	covered map[string]bool      // keys of the functions that planned targets check
	names   map[string]bool      // names of planned targets
	drafts  map[string]*FuzzFunc // for each function that an existing target calls, the one that it is assumed to be; nil: none
}

// rule returns a target for a function. If the signature fits and the function can get no target, it returns nil and the reason. If the
// rule does not fit, it returns nil and no reason.
type rule func(pl *planner, f *survey.Func) (t *FuzzFunc, reason string)

// rules lists the rules in the order in which plan tries them.
var rules = []rule{laws, pair, twin, stream, marshal, idempotent, parse, read, methods, call}

// plan returns the target for a function, or nil and the reason, as a rule does.
func (pl *planner) plan(f *survey.Func) (*FuzzFunc, string) {
	t, reason := draft(pl, f)
	if t != nil {
		pl.finish(t, f)
	}
	return t, reason
}

// assumed returns the target that an existing target of f is assumed to be; nil: none. If no existing target calls the method that writes
// what f reads, the one of f checks no property.
func assumed(pl *planner, f *survey.Func) *FuzzFunc {
	t, _ := draft(pl, f)
	if t == nil || t.Kind != Print && t.Kind != Marshal || t.Inverse.Name == "json.Marshal" || pl.p.Called[pl.writer(t).Key] != "" {
		return t
	}
	return nil
}

// draft is plan without the unique name and the seeds.
func draft(pl *planner, f *survey.Func) (*FuzzFunc, string) {
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
		return t, ""
	}
	return nil, ""
}

// isSimple reports whether the functions that a target calls cannot fail. If the target checks a property, they also must only compare.
func (pl *planner) isSimple(t *FuzzFunc, f *survey.Func) bool {
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

// finish gives t and its weaker target unique names and seeds.
func (pl *planner) finish(t *FuzzFunc, f *survey.Func) {
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

// free returns base, or base with a number if a declaration of the package or another target has that name.
func free(base string, declared, names map[string]bool) string {
	name := base
	for i := 2; declared[name] || names[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}
