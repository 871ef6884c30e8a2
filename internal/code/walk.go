package code

import (
	"golang.org/x/tools/go/packages"
)

// Walk is the set of functions that may be executed from some roots.
type Walk struct {
	graph    *Graph
	from     map[*Function]*Function // the functions, with the one because of which each of them is in the set; nil: it is a root
	queue    []*Function
	Sink     *Function            // the first one that acts outside of the process; nil: none does, or nothing was looked for
	types    map[*typ]*Function   // types of values in these functions, with a function in which they occur
	calls    map[Method]*Function // methods of interfaces that they call
	values   map[string][]string  // keys of the functions that they use as values, by their slots
	loads    map[string]*Function // slots of the function values that they read from memory
	searches bool
}

// Walk returns the functions that may be executed from the roots. before has the functions that were executed earlier; nil: none were. If search is
// set, the walk ends at the first function that acts outside of the process.
func (g *Graph) Walk(roots []*Function, before *Walk, search bool) *Walk {
	w := &Walk{
		graph: g, from: map[*Function]*Function{}, types: map[*typ]*Function{}, calls: map[Method]*Function{}, values: map[string][]string{}, loads: map[string]*Function{},
		searches: search,
	}
	for _, n := range roots {
		w.visit(n, nil)
	}
	if before != nil {
		for t := range before.types {
			w.occur(t, nil)
		}
		for slot, keys := range before.values {
			for _, key := range keys {
				w.use(slot, key)
			}
		}
	}
	for len(w.queue) > 0 && w.Sink == nil {
		n := w.queue[0]
		w.queue = w.queue[1:]
		w.enter(n)
	}
	return w
}

// Because returns the function because of which another one may be executed; nil: that is a root, or it is not executed.
func (w *Walk) Because(n *Function) *Function { return w.from[n] }

// visit adds a function because of another one.
func (w *Walk) visit(n, because *Function) {
	if _, ok := w.from[n]; ok || n == nil {
		return
	}
	if n.Acts && w.searches {
		if w.Sink == nil {
			w.from[n], w.Sink = because, n
		}
		return
	}
	w.from[n] = because
	if !n.leaf {
		w.queue = append(w.queue, n)
	}
}

// enter adds what the body of a function does.
func (w *Walk) enter(n *Function) {
	for _, key := range n.Mentions {
		w.visit(w.graph.functions[key], n)
	}
	for _, t := range n.types {
		w.occur(t, n)
	}
	for _, v := range n.values {
		w.use(v.slot, v.key)
	}
	for _, c := range n.calls {
		if _, ok := w.calls[c]; ok {
			continue
		}
		w.calls[c] = n
		for t := range w.types {
			w.visit(w.graph.functions[t.methods[c]], n)
		}
	}
	for _, l := range n.loads {
		if l.place != "" {
			w.load(l.place, n)
		}
		if l.place == "" || w.graph.open[l.place] {
			for _, slot := range l.any {
				w.load(slot, n)
			}
		}
	}
}

// load adds the function values that a function reads from a slot.
func (w *Walk) load(slot string, n *Function) {
	if _, ok := w.loads[slot]; ok {
		return
	}
	w.loads[slot] = n
	for _, key := range w.values[slot] {
		w.visit(w.graph.functions[key], n)
	}
}

// occur adds a type of values, and those of its parts.
func (w *Walk) occur(t *typ, n *Function) {
	if _, ok := w.types[t]; ok {
		return
	}
	w.types[t] = n
	for c, key := range t.methods {
		if caller, ok := w.calls[c]; ok {
			w.visit(w.graph.functions[key], caller)
		}
	}
	for _, part := range t.parts {
		w.occur(part, n)
	}
}

// use adds a function that is used as a value.
func (w *Walk) use(slot, key string) {
	w.values[slot] = append(w.values[slot], key)
	if reader, ok := w.loads[slot]; ok {
		w.visit(w.graph.functions[key], reader)
	}
}

// Initial returns what the test binary of a package executes before a target: the initializers of all packages that it contains, and TestMain.
func (g *Graph) Initial(loaded []*packages.Package, p *packages.Package) (list []*Function) {
	path := p.PkgPath
	if p.ForTest != "" {
		path = p.ForTest
	}
	var contained []*packages.Package
	for _, other := range loaded {
		if other.ForTest == path && !IsTestMain(other) || other.PkgPath == path {
			contained = append(contained, other)
		}
	}
	packages.Visit(contained, nil, func(p *packages.Package) {
		list = append(list, g.inits[p.PkgPath]...)
		if main := g.functions[p.PkgPath+".TestMain"]; main != nil {
			list = append(list, main)
		}
	})
	return list
}
