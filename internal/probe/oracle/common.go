package oracle

import "strings"

// Common returns what stacks of one goroutine have in common, from the bottom up, as far as three quarters of them agree on
// the functions. It is written as the runtime prints stacks; nothing if there are none.
func Common(stacks []string) string {
	var all [][]frame
	for _, s := range stacks {
		if f := frames(s); len(f) > 0 {
			all = append(all, f)
		}
	}
	quorum := (3*len(all) + 3) / 4
	var b strings.Builder
	var kept []frame
	for depth := 0; len(all) > 0 && len(all) >= quorum; depth++ {
		counts := map[string]int{}
		var best frame
		for _, f := range all {
			if depth < len(f) {
				name := f[depth].name
				if counts[name]++; counts[name] > counts[best.name] {
					best = f[depth]
				}
			}
		}
		if counts[best.name] < quorum {
			break
		}
		kept = append(kept, best)
		agree := all[:0]
		for _, f := range all {
			if depth < len(f) && f[depth].name == best.name {
				agree = append(agree, f)
			}
		}
		all = agree
	}
	for i := len(kept) - 1; i >= 0; i-- {
		b.WriteString(kept[i].name + "(...)\n" + kept[i].at + "\n")
	}
	return b.String()
}

// frame is a call on a stack.
type frame struct{ name, at string }

// frames reads the stack of a goroutine, the bottom first.
func frames(stack string) (list []frame) {
	lines := strings.Split(strings.Trim(stack, "\n"), "\n")
	for i := len(lines) - 1; i > 0; i-- {
		name := lines[i-1]
		paren := strings.LastIndexByte(name, '(')
		if !strings.HasPrefix(lines[i], "\t") || strings.HasPrefix(name, "created by ") || paren <= 0 {
			continue
		}
		at, _, _ := strings.Cut(lines[i], " +0x")
		list = append(list, frame{name[:paren], at})
	}
	return list
}
