// Package brackets opens for a text of three kinds of brackets, 24 deep, no kind directly within itself.
//
// Technique: text. Each kind needs its own partner, so repeating a bracket helps nobody; whole balanced spans have to
// be put within others.
package brackets

var partner = [256]byte{'(': ')', '[': ']', '{': '}'}

// Open reports whether s is solved.
func Open(s string) bool {
	var stack []byte
	deepest := 0
	for _, c := range []byte(s) {
		switch {
		case partner[c] != 0:
			if n := len(stack); n > 0 && stack[n-1] == c {
				return false
			}
			stack = append(stack, c)
			deepest = max(deepest, len(stack))
		case c == ')' || c == ']' || c == '}':
			n := len(stack)
			if n == 0 || partner[stack[n-1]] != c {
				return false
			}
			stack = stack[:n-1]
		default:
			return false
		}
	}
	return len(stack) == 0 && deepest >= 24
}
