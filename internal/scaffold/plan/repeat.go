package plan

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// drop returns the targets, in their order, without those that only execute code that another target executes.
func (pl *planner) drop(targets []*FuzzFunc) (kept []*FuzzFunc, skipped []Skipped) {
	order := slices.Clone(targets)
	slices.SortStableFunc(order, func(a, b *FuzzFunc) int { return cmp.Compare(pl.rank(b), pl.rank(a)) })
	by := map[*FuzzFunc]*FuzzFunc{} // for each target that is dropped, the one because of which
	for _, t := range order {
		by[t] = pl.existing(t)
	}
	for _, t := range slices.Backward(order) {
		for _, o := range order {
			if by[t] == nil && o != t && by[o] == nil && pl.repeats(t, o) {
				by[t] = o
				break
			}
		}
	}
	for _, t := range targets {
		o := by[t]
		if o == nil {
			kept = append(kept, t)
			continue
		}
		for by[o] != nil {
			o = by[o]
		}
		skipped = append(skipped, Skipped{t.Covers[0], o.Name + " executes the same code"})
	}
	return kept, skipped
}

// existing returns a target that the package already has and that executes all code that t executes; nil: there is none. If t checks a
// property, existing assumes that a target of the package checks the property that a planned target for the same function would, so that a
// second run adds nothing.
func (pl *planner) existing(t *FuzzFunc) *FuzzFunc {
	for _, key := range slices.Sorted(maps.Keys(pl.p.Called)) {
		o := pl.drafts[key]
		if t.Kind.IsWeakest() {
			o = &FuzzFunc{Kind: Parse, Covers: []string{key}}
		}
		if o == nil || pl.p.Func(key) == nil || !pl.repeats(t, o) {
			continue
		}
		o.Name = pl.p.Called[key]
		return o
	}
	return nil
}

// rank returns the rank of a target: of two targets that execute the same code, drop keeps the one with the higher rank.
func (pl *planner) rank(t *FuzzFunc) (rank int) {
	f := pl.p.Func(t.Covers[0])
	weak := t.Kind.IsWeakest()
	for _, better := range []bool{!weak, !weak || !isInner(pl.p, f), f.Obj.Signature().Recv() == nil, len(inputs(f)) > 0, t.Input != reader, len(t.Params) == 1} {
		rank *= 2 // the first criterion decides, then the second, and so on
		if better {
			rank++
		}
	}
	return rank
}

// isInner reports whether another exported function passes its text to f, and f does not pass its text to that one.
func isInner(p *survey.Package, f *survey.Func) bool {
	return slices.ContainsFunc(p.Funcs, func(g *survey.Func) bool { return g != f && forwards(g, f) && !f.Code.Passes[g.Obj] })
}

// repeats reports whether t only executes code that o executes. If t checks a property, o must check one that is as strong.
func (pl *planner) repeats(t, o *FuzzFunc) bool {
	f, g := pl.p.Func(t.Covers[0]), pl.p.Func(o.Covers[0])
	switch {
	case t.Kind == Laws && o.Kind == Laws:
		calls := f.Code.Calls[g.Obj] && !g.Code.Calls[f.Obj]
		return calls && f.Code.Plain[f.Obj] && t.Type == o.Type && len(t.Extra) <= len(o.Extra)
	case t.Kind == Methods || o.Kind == Methods || o.Kind == Laws:
		return false
	case t.Kind.IsWeakest():
		return slices.Contains(o.Covers, t.Covers[0]) || pl.isExecuted(f, g, o)
	case t.Kind == Print && o.Kind == Print:
		return f.Code.Plain[f.Obj] && f.Code.Passes[g.Obj] && t.Type == o.Type
	case t.Kind == Marshal && o.Kind == Print:
		return t.Type == o.Type && pl.isPart(f, o) && pl.isPart(pl.writer(t), o)
	}
	return t.Kind == o.Kind && (t.Kind == Marshal || t.Kind == Idempotent) && pl.isPart(f, o)
}

// lacksTexts reports whether a function takes any number of texts. A target passes none of them, so the function may do little.
func lacksTexts(f *survey.Func) bool {
	sig := f.Obj.Signature()
	return sig.Variadic() && inputKind(elementOf(sig)) != ""
}

// forwards reports whether g passes its text to f, and either cannot fail itself or begins with the same word as f.
func forwards(g, f *survey.Func) bool {
	if lacksTexts(g) {
		return false
	}
	return g.Code.Passes[f.Obj] && (g.Code.Plain[g.Obj] || firstWord(g.Obj.Name()) == firstWord(f.Obj.Name()))
}

// isExecuted reports whether the target o, whose first function is g, executes all of the function f.
func (pl *planner) isExecuted(f, g *survey.Func, o *FuzzFunc) bool {
	return f == g || forwards(g, f) || pl.isPart(f, o) || lacksTexts(f) && passesOn(pl, f, o)
}

// isPart reports whether o executes all code of f that can fail, and at least one function that f calls.
func (pl *planner) isPart(f *survey.Func, o *FuzzFunc) bool {
	if !f.Code.Plain[f.Obj] {
		return false
	}
	shares := false
	for callee := range f.Code.Calls {
		switch {
		case pl.executes(o, callee):
			shares = true
		case !f.Code.Plain[callee]:
			return false
		}
	}
	return shares
}

// passesOn reports whether f passes its text to a function that o executes.
func passesOn(pl *planner, f *survey.Func, o *FuzzFunc) bool {
	for callee := range f.Code.Passes {
		if pl.executes(o, callee) {
			return true
		}
	}
	return false
}

// executes reports whether a target executes a function of the package.
func (pl *planner) executes(t *FuzzFunc, callee *types.Func) bool {
	calls := func(f *survey.Func) bool { return f.Obj == callee || f.Code.Calls[callee] && !lacksTexts(f) }
	if t.Kind == Print && calls(pl.writer(t)) {
		return true
	}
	return slices.ContainsFunc(t.Covers, func(key string) bool { return calls(pl.p.Func(key)) })
}
