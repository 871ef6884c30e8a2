// Package wide executes the instructions of a machine. It has 200 instructions, and one of them was changed lately. The measurement generates
// ops.go with the other ones.
package wide

import "gnaw.test/planted/mix"

// Run executes instructions of six bytes, and returns a result.
func Run(code []byte) (n int) {
	for len(code) >= 6 {
		n += ops[code[0]%200](code[1:6])
		code = code[6:]
	}
	return n
}

// op137 is the instruction that was changed.
func op137(b []byte) int {
	if b[0] > b[1] {
		return 1
	}
	if mix.Of(b[0], b[1], 10) == 0x2a5 {
		if mix.Of(b[2], b[3], 10) == 0x133 {
			if mix.Of(b[4], b[0], 7) == 0x31 {
				panic("planted")
			}
			return 3
		}
		return 2
	}
	return 0
}
