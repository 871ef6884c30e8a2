package focus

import (
	"go/types"
	"path/filepath"
	"slices"
)

const (
	// maxSteps limits the comparisons of one parse, and maxInlined the depth of inlined calls.
	maxSteps   = 1 << 16
	maxInlined = 8
)

// parser finds the code of the counters of one symbol. It compares the lines of the counters with those of the items of the function. At each
// call it tries both possibilities: the compiler has inlined the called function, or it has not.
type parser struct {
	*graph
	at    []position // of the counters, in ascending order of their addresses
	nodes []int      // of the counters up to the current one
	steps int
}

// frame is the position of a parser in the items of a function. The frame outer is that of the function into which this one is inlined.
type frame struct {
	function *function
	items    []item // those that are left
	call     position
	outer    *frame // nil: the function is not inlined
	depth    int
}

// parse returns the node of each counter; ok is false if the lines are not those of the function.
func (g *graph) parse(f *function, at []position) (nodes []int, ok bool) {
	p := &parser{graph: g, at: at, nodes: make([]int, len(at))}
	return p.nodes, p.next(&frame{function: f, items: f.items}, 0)
}

// next reports whether the counters from i on are those of the items that are left of a frame, and of the frames around it.
func (p *parser) next(f *frame, i int) bool {
	if p.steps++; p.steps > maxSteps {
		return false
	}
	if len(f.items) == 0 {
		if f.outer == nil {
			return i == len(p.at)
		}
		return p.next(f.outer, i)
	}
	it := f.items[0]
	rest := *f
	rest.items = f.items[1:]
	if it.isCall {
		return p.call(&rest, it, i)
	}
	want := p.position(f, it)
	if i == len(p.at) || p.at[i] != want {
		return false
	}
	p.nodes[i] = it.node
	return p.next(&rest, i+1)
}

// call tries the counters that the compiler may have made for a call: none, or those of the called function without the counter of its entry. If
// the function is not known, call tries any number of counters with the line of the call, which the return statements of the function have.
func (p *parser) call(rest *frame, it item, i int) bool {
	at := p.line(it)
	callee := p.calleeOf(it.callee)
	if callee != nil && len(callee.items) > 0 && rest.depth < maxInlined && !rest.has(callee) {
		inlined := &frame{function: callee, items: callee.items[1:], call: at, outer: rest, depth: rest.depth + 1}
		if p.next(inlined, i) {
			return true
		}
	}
	if p.next(rest, i) {
		return true
	}
	for callee == nil && i < len(p.at) && p.at[i] == at {
		p.nodes[i] = -1
		if i++; p.next(rest, i) {
			return true
		}
	}
	return false
}

func (g *graph) calleeOf(f *types.Func) *function {
	if f == nil {
		return nil
	}
	return g.declared[f.FullName()]
}

// has reports whether a function is that of the frame or of one around it. The compiler does not inline a function into itself.
func (f *frame) has(callee *function) bool {
	for ; f != nil; f = f.outer {
		if f.function == callee {
			return true
		}
	}
	return false
}

// position returns the position of a counter: that of the call if an inlined function returns there.
func (p *parser) position(f *frame, it item) position {
	if it.gone && f.outer != nil {
		return f.call
	}
	return p.line(it)
}

func (p *parser) line(it item) position {
	at := p.fset.Position(it.pos)
	return position{filepath.Clean(at.Filename), at.Line}
}

// counters returns the items that are counters.
func counters(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.isCall })
}
