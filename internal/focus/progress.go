package focus

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/cfg"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Entry is an input that a target has executed.
type Entry struct {
	Target   Root
	Args     input.Args
	Path     string // of its file, or the name of the seed; empty: it has none
	Given    bool   // it was there when the campaign began
	Features []cover.Feature
}

// state is what is known about a spot.
type state struct {
	reached  bool
	finding  bool   // entry is a failing input; the first entry of the corpus that reaches the spot replaces it
	distance uint16 // of the nearest entry
	node     int    // the one of the nearest entry that has this distance
	entry    *Entry // the nearest one; of those that reach it, the smallest one
}

// Result is the result of a spot.
type Result struct {
	Spot
	Reached  bool
	Finding  bool   // only by a failing input
	Entry    *Entry // the smallest input that reaches the spot, or the one that came nearest; nil: there is none
	Distance int    // conditions between the nearest input and the spot; 0 if Entry is nil
	Met      Condition
}

// Condition is a condition that turned out wrong for an input. Its file is empty if it is not known.
type Condition struct {
	Text string // empty: it is no expression
	File string // absolute path
	Line int
}

// Note records an entry, and returns the spots that it is the first input to reach.
func (a *Aim) Note(e Entry) (news []Spot) {
	p := a.plan
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.spots {
		s := &p.state[i]
		d, node := a.to(i, e.Features)
		smaller := s.entry == nil || e.Args.Size() < s.entry.Args.Size()
		switch {
		case d == far, s.reached && (d > 0 || !smaller && !s.finding):
			continue
		case !s.reached && s.entry != nil && (d > s.distance || d == s.distance && !smaller):
			continue
		}
		kept := e
		s.entry, s.distance, s.node, s.finding = &kept, d, node, false
		if d == 0 && !s.reached {
			news = append(news, p.reachedNow(i))
		}
	}
	p.measureAll(news)
	return news
}

// Failed records that a failing input reaches the spots at the positions files[i]:lines[i] of its stack, and returns those that it is the first
// input to reach.
func (p *Plan) Failed(e Entry, files []string, lines []int) (news []Spot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range files {
		for _, i := range p.at(files[k], lines[k]) {
			if s := &p.state[i]; !s.reached {
				kept := e
				s.entry, s.distance, s.finding = &kept, 0, true
				news = append(news, p.reachedNow(i))
			}
		}
	}
	p.measureAll(news)
	return news
}

// reachedNow marks a spot as reached. The caller holds the mutex.
func (p *Plan) reachedNow(i int) Spot {
	p.state[i].reached = true
	p.left--
	return p.spots[i]
}

// measureAll computes all distances again if there are newly reached spots. The caller holds the mutex.
func (p *Plan) measureAll(news []Spot) {
	if len(news) == 0 {
		return
	}
	for _, a := range p.aims {
		a.measure()
	}
}

// Results returns what came of each spot.
func (p *Plan) Results() (list []Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, spot := range p.spots {
		s := p.state[i]
		r := Result{Spot: spot, Reached: s.reached, Finding: s.finding, Entry: s.entry, Distance: int(s.distance)}
		if !s.reached && s.entry != nil {
			r.Met = p.met(s.node, p.dist[i])
		}
		list = append(list, r)
	}
	return list
}

// met returns the first condition on the shortest way from a node to the spot with the distances dist. It returns the zero value if the way has
// a call before it that may execute other functions.
func (p *Plan) met(id int, dist []uint16) Condition {
	for range p.nodes {
		next, cost := -1, uint16(0)
		for _, e := range p.nodes[id].to {
			if dist[e.node]+e.cost == dist[id] && dist[e.node] != far {
				next, cost = e.node, e.cost
			}
		}
		if next < 0 {
			break
		}
		switch {
		case cost > 0 && p.nodes[next].function != p.nodes[id].function:
			return Condition{} // a call of a value or of a method of an interface
		case cost > 0:
			return p.condition(id)
		}
		id = next
	}
	return Condition{}
}

// condition returns the condition with which a node ends.
func (p *Plan) condition(id int) Condition {
	var last ast.Node
	switch n := p.nodes[id]; {
	case n.part != nil:
		last = n.part
	case n.block != nil && n.block.Kind == cfg.KindRangeLoop:
		last = n.block.Stmt
	case n.block != nil && len(n.block.Nodes) > 0:
		last = n.block.Nodes[len(n.block.Nodes)-1]
	default:
		return Condition{}
	}
	at := p.fset.PositionFor(last.Pos(), false)
	return Condition{describe(last), filepath.Clean(at.Filename), at.Line}
}

// maxText limits the text of a condition, in bytes.
const maxText = 60

// describe returns the text of a condition; empty: it is no expression.
func describe(n ast.Node) (text string) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		text = "range " + types.ExprString(n.X)
	case ast.Expr:
		text = types.ExprString(n)
	}
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
