package mutate

import "testing"

var arithRows = []reach{
	{"step a byte across zero", "add-8", "\x00", []string{"\x01", "\xff", "\x23", "\xdd"}, 2000, nil, ""},
	{"carry into the other byte in both orders", "add-16", "\xff\xff", []string{"\x00\x00", "\x22\x00", "\x00\x22"}, 3000, nil, ""},
	{"carry over four bytes", "add-32", "\x00\xff\xff\xff", []string{"\x01\x00\x00\x00", "\x01\xff\xff\xff"}, 3000, nil, ""},
	{"borrow over eight bytes", "add-64", "\x00\x00\x00\x00\x00\x00\x00\x00", []string{"\xff\xff\xff\xff\xff\xff\xff\xff"}, 1000, nil, ""},
	{"ends of a byte", "interesting-8", "k", []string{"\x7f", "\x80", "\x00", "\xff", "\x0a"}, 2000, nil, ""},
	{"16 bits in both orders", "interesting-16", "kk", []string{"\x01\x00", "\x00\x01", "\x7f\xff", "\xff\x7f", "\x80\x00"}, 3000, nil, ""},
	{"32 bits, a common size", "interesting-32", "kkkk", []string{"\x00\x00\x03\xe8", "\x80\x00\x00\x00", "\xff\xff\xff\xff"}, 5000, nil, ""},
	{"64 bits", "interesting-64", "kkkkkkkk", []string{
		"\x7f\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x01\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x80",
	}, 10000, nil, ""},
}

func TestArithOperators(t *testing.T) { checkReach(t, arithRows) }

func TestLoadIsTheInverseOfStore(t *testing.T) {
	for size := 1; size <= 8; size++ {
		for _, big := range []bool{false, true} {
			b := make([]byte, size)
			want := uint64(0x8182838485868788) >> (64 - 8*size)
			store(b, want, big)
			if got := load(b, big); got != want {
				t.Errorf("load(store(%#x)), %d bytes, big=%v = %#x", want, size, big, got)
			}
		}
	}
}
