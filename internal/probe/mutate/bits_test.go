package mutate

import "testing"

var bitRows = []reach{
	{"flip the lowest and the highest bit", "flip-bit", "\x00\x00", []string{"\x01\x00", "\x00\x80"}, 300, nil, ""},
	{"set a byte to one of the buffer", "set-byte", "XYZ", []string{"XXZ", "ZYZ"}, 300, nil, ""},
	{"set a byte to an edge value", "set-byte", "XY", []string{"\x00Y", "X\xff", "X\n"}, 1000, nil, ""},
	{"change a byte to any other", "xor-byte", "k", []string{"a", "\x00", "\xff"}, 5000, nil, ""},
	{"swap neighbours and distant bytes", "swap-bytes", "abc", []string{"bac", "cba"}, 100, nil, ""},
}

func TestBitOperators(t *testing.T) { checkReach(t, bitRows) }
