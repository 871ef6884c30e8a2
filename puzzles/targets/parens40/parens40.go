// Package parens40 opens for a balanced expression of depth 40.
//
// Technique: text. A bracket without its partner is an error, and the depth of a text with an error does not count.
// Blind mutation adds brackets one by one, in the right two places.
package parens40

// Open reports whether s is solved.
func Open(s string) bool {
	deepest, rest, ok := list(s, 0)
	return ok && rest == "" && deepest >= 40
}

// list reads the items up to a closing bracket or the end: letters, and lists in brackets.
func list(s string, depth int) (deepest int, rest string, ok bool) {
	deepest = depth
	for s != "" && s[0] != ')' {
		if s[0] != '(' {
			if s[0] < 'a' || s[0] > 'z' {
				return 0, "", false
			}
			s = s[1:]
			continue
		}
		d, r, good := list(s[1:], depth+1)
		if !good || r == "" || r[0] != ')' {
			return 0, "", false
		}
		deepest, s = max(deepest, d), r[1:]
	}
	return deepest, s, true
}
