// Package effect decides from the sources of a test binary whether a fuzz target may act outside of its process: whether it may write or
// remove files, start processes or use the network. It executes nothing but the go command. The functions that a target may execute are those
// of [code.Graph].
package effect

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// Options says which sources to read.
type Options struct {
	code.Source
	Packages []string          // import paths of the packages with targets
	Overlay  map[string][]byte // contents of the files with targets, by absolute path
}

// Effect is what a target may do.
type Effect struct {
	Call    string // what acts outside of the process, such as "os.Remove", or what cannot be followed; empty: the target does neither
	Through string // the function because of which it is executed, such as "sub.Do"; empty: the target itself calls it
	Certain bool   // functions of the module call it by its name; otherwise it depends on values, types or dependencies
}

// String returns the call, such as "os.Remove through sub.Do".
func (e Effect) String() string {
	if e.Through == "" {
		return e.Call
	}
	return e.Call + " through " + e.Through
}

// maxTogether is the number of packages whose sources are in memory at the same time, with those of all packages that they import.
const maxTogether = 50

// Judge returns the effects of the targets of packages, by the import path of the package, a period and the name of the target. A target
// without an effect is in the map too.
func Judge(ctx context.Context, o Options) (map[string]Effect, error) {
	effects := map[string]Effect{}
	for some := range slices.Chunk(o.Packages, maxTogether) {
		loaded, err := o.Load(ctx, code.LoadOptions{Mode: code.Whole, Tests: true, Overlay: o.Overlay}, some...)
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		judge(loaded, effects)
	}
	return effects, nil
}

// judge adds the effects of the targets of packages that were loaded together.
func judge(loaded []*packages.Package, effects map[string]Effect) {
	g := code.NewGraph()
	packages.Visit(loaded, nil, g.Add)
	for _, p := range loaded {
		if code.IsTestMain(p) {
			continue
		}
		var before *code.Walk
		for _, file := range p.Syntax {
			for _, name := range targets(file) {
				if before == nil {
					before = g.Walk(g.Initial(loaded, p), nil, false)
				}
				key := p.PkgPath + "." + name
				effects[key] = effectOf(g, key, before)
			}
		}
	}
}

// effectOf returns the effect of the function with a key. before has what is executed earlier.
func effectOf(g *code.Graph, key string, before *code.Walk) Effect {
	root := g.Function(key)
	if root == nil {
		return Effect{Call: key + ", whose source cannot be read"}
	}
	if e := certain(g, root); e.Call != "" {
		return e
	}
	w := g.Walk([]*code.Function{root}, before, true)
	if w.Sink == nil {
		return Effect{}
	}
	e := Effect{Call: w.Sink.Call()}
	for n := w.Because(w.Sink); n != nil && n.Name != root.Name; n = w.Because(n) {
		e.Through = n.Name
		if n.Module != "" {
			break
		}
	}
	return e
}

// certain returns the effect of a function if it mentions, or functions of the same module that it mentions, a function of the standard
// library that acts outside of the process.
func certain(g *code.Graph, root *code.Function) Effect {
	seen, queue := map[*code.Function]bool{root: true}, []*code.Function{root}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, key := range n.Mentions {
			m := g.Function(key)
			switch {
			case m == nil || seen[m]:
			case m.Acts && !m.Opaque:
				e := Effect{Call: m.Call(), Certain: true}
				if n.Name != root.Name { // a literal in the target has its name
					e.Through = n.Name
				}
				return e
			case m.Module == root.Module && !m.Acts:
				seen[m] = true
				queue = append(queue, m)
			}
		}
	}
	return Effect{}
}
