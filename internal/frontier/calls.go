package frontier

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// calls is the call graph of the sources, and what the targets may execute.
type calls struct {
	graph *code.Graph
	walks map[fuzz.Name]*walk
}

// walk is what a target may execute.
type walk struct {
	*code.Walk
	root *code.Function
}

// callsOf returns the call graph of packages, and walks from each target. It forgets the types of the packages' expressions.
func callsOf(loaded []*packages.Package, targets []fuzz.Name) *calls {
	c := &calls{code.NewGraph(), map[fuzz.Name]*walk{}}
	for _, p := range loaded {
		c.graph.Add(p)
	}
	for _, t := range targets {
		for _, p := range loaded {
			root := c.graph.Function(p.PkgPath + "." + t.Func)
			if root == nil || c.walks[t] != nil || strings.TrimSuffix(p.PkgPath, "_test") != t.Package {
				continue
			}
			before := c.graph.Walk(c.graph.Initial(loaded, p), nil, false)
			c.walks[t] = &walk{c.graph.Walk([]*code.Function{root}, before, false), root}
		}
	}
	return c
}

// chain returns the functions through which a target may execute the one with a key, both included; nil: the sources show no such calls. A name
// has that of its package before it if this is not the package of the target.
func (c *calls) chain(t fuzz.Name, key string) (list []string) {
	w := c.walks[t]
	if w == nil {
		return nil
	}
	own, _, _ := strings.Cut(w.root.Name, ".")
	own = strings.TrimSuffix(own, "_test") + "."
	for f := c.graph.Function(key); f != nil; f = w.Because(f) {
		if name := strings.TrimPrefix(f.Name, own); f != w.root && f.Name != w.root.Name && (list == nil || list[len(list)-1] != name) {
			list = append(list, name)
		}
		if f == w.root {
			list = append(list, t.Func)
			slices.Reverse(list)
			return list
		}
	}
	return nil
}
