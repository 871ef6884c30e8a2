package focus

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// nodesOf returns the node that each counter of a test binary counts; -1: the node is not known.
//
// The compiler gives the counters ascending addresses in the order in which it makes them. The counters of a symbol belong to its function and
// to the functions that the compiler has inlined into it. The lines of the counters show to which of them.
func (g *graph) nodesOf(sites []site) []int {
	nodes := make([]int, len(sites))
	for i := range nodes {
		nodes[i] = -1
	}
	index := g.index()
	groups := map[string][]int{}
	for i, s := range sites {
		if s.symbol != "" && index.has(s.at.file) {
			groups[s.symbol] = append(groups[s.symbol], i)
		}
	}
	for _, group := range groups {
		own := index.beginning(sites[group[0]].entry)
		if own != nil && g.parseGroup(own, index, sites, group, nodes) {
			continue
		}
		parts := map[*function][]int{}
		for _, i := range group {
			if f := index.around(sites[i].at, own); f != nil {
				parts[f] = append(parts[f], i)
			}
		}
		for f, part := range parts {
			g.align(f, f != own, part, func(i int) int { return sites[i].at.line }, func(i, node int) { nodes[i] = node })
		}
	}
	return nodes
}

// parseGroup finds the nodes of the counters of a symbol. It returns false if the counters differ from those that the source leads to.
func (g *graph) parseGroup(f *function, x index, sites []site, group, nodes []int) bool {
	at := make([]position, len(group))
	for k, i := range group {
		file := sites[i].at.file
		at[k] = position{x.path(file), sites[i].at.line}
	}
	found, ok := g.parse(f, at)
	if !ok {
		return false
	}
	for k, i := range group {
		nodes[i] = found[k]
	}
	return true
}

// align finds the counters of a function among those with its lines. If the function is inlined, align leaves out the counters of its return
// statements, because the compiler gives them the line of the call.
func (g *graph) align(f *function, inlined bool, part []int, line func(i int) int, found func(i, node int)) {
	all := counters(f.items)
	items := all
	if inlined {
		items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.gone })
		if len(all) > 0 && !all[0].gone {
			items = items[1:] // an inlined function has no counter of its entry
		}
	}
	if len(items) == 0 {
		return
	}
	want := make([]int, len(items))
	for k, it := range items {
		want[k] = g.fset.Position(it.pos).Line
	}
	for len(part) > 0 {
		first, next := earliest(want, part, line)
		if first == nil {
			g.alignLines(items, want, part, line, found)
			return
		}
		until := len(part) // where the next copy of the function begins
		if again, _ := earliest(want, part[next:], line); again != nil && inlined {
			until = next
		}
		last := latest(want, part[:until], line)
		for k, it := range items {
			if it.behind {
				found(part[last[k]], it.node)
			} else {
				found(part[first[k]], it.node)
			}
		}
		if !inlined {
			return
		}
		part = part[until:]
	}
}

// earliest returns the smallest indexes in part whose lines are the wanted lines, in order, and the index behind the last one; nil: part does
// not have all wanted lines.
func earliest(want, part []int, line func(i int) int) (at []int, next int) {
	for i := 0; i < len(part) && len(at) < len(want); i++ {
		if line(part[i]) == want[len(at)] {
			at, next = append(at, i), i+1
		}
	}
	if len(at) < len(want) {
		return nil, 0
	}
	return at, next
}

// latest returns the largest such indexes. part must have all wanted lines.
func latest(want, part []int, line func(i int) int) []int {
	at := make([]int, len(want))
	k := len(want) - 1
	for i := len(part) - 1; i >= 0 && k >= 0; i-- {
		if line(part[i]) == want[k] {
			at[k] = i
			k--
		}
	}
	return at
}

// alignLines finds the counters of a function line by line, because the compiler has changed the function. It uses only the lines on which the
// number of counters is the number of items, or a multiple of it.
func (g *graph) alignLines(items []item, want, part []int, line func(i int) int, found func(i, node int)) {
	byLine := map[int][]int{}
	for _, i := range part {
		byLine[line(i)] = append(byLine[line(i)], i)
	}
	for l, counters := range byLine {
		var on []item
		for k, it := range items {
			if want[k] == l {
				on = append(on, it)
			}
		}
		if len(on) == 0 || len(counters)%len(on) != 0 {
			continue
		}
		for k, i := range counters {
			found(i, on[k%len(on)].node)
		}
	}
}

// index finds functions by positions as the compiler records them.
type index struct {
	files map[string][]span
}

// span is the lines of a function.
type span struct {
	from, until int
	function    *function
}

func (g *graph) index() index {
	x := index{map[string][]span{}}
	for _, f := range g.functions {
		from, until := g.fset.Position(f.from), g.fset.Position(f.until)
		s := span{from.Line, until.Line, f}
		for _, name := range []string{from.Filename, trimmed(f.pkg.PkgPath, from.Filename)} {
			x.files[name] = append(x.files[name], s)
		}
	}
	for _, list := range x.files {
		slices.SortStableFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	}
	return x
}

// path returns the path of a file in the source.
func (x index) path(file string) string { return x.files[file][0].function.file }

func (x index) has(file string) bool { return x.files[file] != nil }

// beginning returns the function that begins on a line; nil: none or several do.
func (x index) beginning(p position) (found *function) {
	for _, s := range x.files[p.file] {
		if s.from == p.line {
			if found != nil {
				return nil
			}
			found = s.function
		}
	}
	return found
}

// around returns the function that contains a line: own, if own contains it and no smaller function within own does.
func (x index) around(p position, own *function) *function {
	var best *span
	for i, s := range x.files[p.file] {
		if p.line < s.from || p.line > s.until {
			continue
		}
		if s.function == own && p.line > s.from && (best == nil || best.from <= s.from) {
			best = &x.files[p.file][i]
			continue
		}
		if best == nil || s.from >= best.from && s.until <= best.until && s.from < p.line {
			best = &x.files[p.file][i]
		}
	}
	if best == nil {
		return nil
	}
	return best.function
}

// trimmed returns the name that the compiler records for a file with -trimpath.
func trimmed(pkg, file string) string {
	return strings.TrimSuffix(pkg, "_test") + "/" + filepath.Base(file)
}
