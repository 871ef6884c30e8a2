// Package focus finds out how near the inputs of targets come to spots of the source that a user names.
//
// [New] loads the source of the packages that targets use, joins the control flow of their functions by the call graph, and finds the spots. A
// [Plan] has the number of conditions between each piece of code and each spot. [Plan.Read] finds the code of each edge counter of a test
// binary. With that, the features of an entry show how near the entry comes. The engine has these features anyway, so focus executes nothing.
//
// where.go and changes.go find spots; load.go, graph.go and calls.go make the graph; items.go, counters.go and match.go find the code of
// counters; distance.go, aim.go and progress.go measure entries.
package focus

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Root is a target, whose function is the root of all calls.
type Root struct {
	fuzz.Name
	Dir string // absolute path of the folder of the package
}

// Plan has the spots of a campaign, and the state of each. Its methods may be called from any goroutine.
type Plan struct {
	*graph
	spots []Spot
	dist  [][]uint16         // by spot and node; 0: an input that executes the node reaches the spot
	roots map[*function]bool // of the targets
	reach map[Root][]bool    // by node

	reading sync.Mutex // held while a test binary is read

	mu    sync.Mutex      // guards the fields below
	state []state         // by spot
	left  int             // spots that are not reached
	aims  map[string]*Aim // by path of the test binary
}

// New finds the spots of the values of -focus. git is used for ranges of revisions. The error is a *[usage.Error] if a value is wrong, or if no
// target can reach a spot.
func New(ctx context.Context, src Source, targets []Root, where []string, git Git) (*Plan, error) {
	if err := checkForms(where); err != nil { // before something is loaded
		return nil, err
	}
	g, err := src.graph(ctx, where)
	if err != nil {
		return nil, err
	}
	return newPlan(ctx, g, src, targets, where, git)
}

// checkForms returns a *usage.Error if a value has none of the forms.
func checkForms(where []string) error {
	for _, w := range where {
		switch {
		case isRange(w) && strings.HasPrefix(w, ".."):
			return usage.Errorf("-focus %s: the range has no first revision; write HEAD~3.. for example", w)
		case isRange(w), lineForm.MatchString(w):
			continue
		}
		base := w[strings.LastIndexByte(w, '/')+1:]
		if strings.Contains(base, ":") || strings.HasSuffix(base, ".go") || !strings.Contains(strings.Trim(base, "."), ".") {
			return malformed(w)
		}
	}
	return nil
}

// checkStandard returns a *usage.Error if a value names code of the standard library.
func (s *Source) checkStandard(list []*listed, where []string) error {
	for _, w := range where {
		if isRange(w) || strings.HasPrefix(w, ".") {
			continue
		}
		has := func(standard bool) bool {
			return slices.ContainsFunc(list, func(p *listed) bool { return p.Standard == standard && s.mayHave(p, w) })
		}
		if has(true) && !has(false) {
			return usage.Errorf("-focus %s: the standard library has no counters; name code of the module or of a dependency", w)
		}
	}
	return nil
}

// graph loads the source of the packages through which targets may reach the code that the values name.
func (s *Source) graph(ctx context.Context, where []string) (*graph, error) {
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.checkStandard(list, where); err != nil {
		return nil, err
	}
	fset, loaded, err := s.load(ctx, list, s.wanted(list, where))
	if err != nil {
		return nil, err
	}
	g := newGraph(fset, loaded)
	g.linked = linked(list)
	return g, nil
}

// newPlan finds the spots in a graph.
func newPlan(ctx context.Context, g *graph, src Source, targets []Root, where []string, git Git) (*Plan, error) {
	p := &Plan{graph: g, roots: map[*function]bool{}, reach: map[Root][]bool{}, aims: map[string]*Aim{}}
	f := &finder{graph: p.graph, src: &src, git: git, reachable: make([]bool, len(p.nodes))}
	for _, t := range targets {
		p.addTarget(t, f.reachable)
	}
	for _, w := range where {
		spots, err := f.find(ctx, w)
		if err != nil {
			return nil, err
		}
		for _, s := range spots {
			if fn := p.nodes[s.node].function; p.roots[fn] {
				return nil, usage.Errorf("-focus %s: this code of %s is executed before the inputs; name code that the argument of F.Fuzz executes", w, fn.name)
			}
			if !f.reachable[s.node] {
				return nil, usage.Errorf("-focus %s: no target calls %s, directly or through other functions: gnaw found no call, no value of this "+
					"function and no interface that leads to it", w, s.Function)
			}
		}
		for _, s := range spots {
			if !slices.ContainsFunc(p.spots, func(other Spot) bool { return other.node == s.node }) {
				p.spots = append(p.spots, s)
			}
		}
	}
	p.state, p.left = make([]state, len(p.spots)), len(p.spots)
	for _, s := range p.spots {
		dist := p.distances(s.node)
		for id, is := range p.proofs(s.node, dist) {
			if is {
				dist[id] = 0
			}
		}
		p.dist = append(p.dist, dist)
	}
	return p, nil
}

// wanted selects the packages to load: those of the main modules. If a value names a line or a function outside of them, it selects all
// packages except those of the standard library.
func (s *Source) wanted(list []*listed, where []string) func(p *listed) bool {
	all, local := false, false
	for _, w := range where {
		if isRange(w) {
			local = true // it may change other modules of its repository
			continue
		}
		all = all || !slices.ContainsFunc(list, func(p *listed) bool { return p.own() && s.mayHave(p, w) })
	}
	return func(p *listed) bool { return p.own() || local && p.local() || all && !p.Standard }
}

// mayHave reports whether a package may have the spot that a value names.
func (s *Source) mayHave(p *listed, where string) bool {
	m := lineForm.FindStringSubmatch(where)
	if m == nil {
		if strings.HasPrefix(where, ".") {
			return true
		}
		path := where[:strings.LastIndexByte(where, '/')+1] + strings.SplitN(where[strings.LastIndexByte(where, '/')+1:], ".", 2)[0]
		name := strings.Fields(p.ImportPath)[0]
		return name == path || strings.HasSuffix(name, "/"+path)
	}
	name := string(filepath.Separator) + filepath.Clean(filepath.FromSlash(m[1]))
	return filepath.Dir(s.abs(m[1])) == p.Dir || slices.ContainsFunc(slices.Concat(p.GoFiles, p.CgoFiles), func(file string) bool {
		return strings.HasSuffix(filepath.Join(p.Dir, file), name)
	})
}

// addTarget finds the function of a target, and adds what it can execute to reachable.
func (p *Plan) addTarget(t Root, reachable []bool) {
	for _, f := range p.functions {
		if f.decl != nil && f.decl.Recv == nil && f.decl.Name.Name == t.Func && filepath.Dir(f.file) == t.Dir {
			p.roots[f] = true
			p.reach[t] = p.graph.reachable(f.entry, p.linked[t.Package])
			for id, is := range p.reach[t] {
				reachable[id] = reachable[id] || is
			}
		}
	}
}

// Reaches reports whether a target may reach a spot that no input has reached.
func (p *Plan) Reaches(t Root) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.spots {
		if !p.state[i].reached && p.reach[t] != nil && p.reach[t][s.node] {
			return true
		}
	}
	return false
}

// Spots returns the spots.
func (p *Plan) Spots() []Spot { return p.spots }

// Left returns the number of spots that no input has reached.
func (p *Plan) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left
}

// at returns the indexes of the spots whose code has a line of a file.
func (p *Plan) at(file string, line int) (list []int) {
	for i, s := range p.spots {
		if s.File != file {
			continue
		}
		for _, n := range p.nodes[s.node].block.Nodes {
			if from, until := p.fset.PositionFor(n.Pos(), false).Line, p.fset.PositionFor(n.End(), false).Line; from <= line && line <= until {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

// order compares spots by their positions.
func order(a, b Spot) int {
	return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}
