// Package deep is what several packages call.
package deep

// Fall fails for an argument.
func Fall(arg string) int {
	if arg == "fall" {
		panic("fallen") // bug 33
	}
	return len(arg)
}

// Nest parses parentheses.
func Nest(b []byte, depth int) int {
	if depth == 4 {
		panic("too deep") // bug 34
	}
	if len(b) > 0 && b[0] == '(' {
		return Nest(b[1:], depth+1) + 1
	}
	return depth
}
