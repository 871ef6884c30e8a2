package work

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

func TestWhatIsInheritedIsAllButWhatHasGrown(t *testing.T) {
	for _, tt := range []struct {
		name, from, data, want string
	}{
		{"the same", "key=value", "key=value", "key=value"},
		{"from nothing", "", "grown", ""},
		{"nothing is left", "value", "", ""},
		{"as long a replacement", "key=value", "key=VALUE", "key=VALUE"},
		{"a shorter replacement", "key=value", "key=v", "key=v"},
		{"something inserted", "key=value", "key=XXXXvalue", "key=value"},
		{"a longer replacement", "key=value", "longer=value", "=value"},
		{"something removed", "one,two,three", "one,three", "one,three"},
		{"inserted twice", "one,two,three", "one,XXXtwo,YYYYthree", "one,two,three"},
		{"inserted behind something removed", "one,two,three", "one,three,four", "one,three"},
		{"two bytes in common by chance", "((ab))", "((XXXXXXabXXXX))", "(())"},
		{"a copy of what is there", "abcabc", "abcabcabc", "abcabc"},
		{
			"too long to be aligned", "(middle)", "(" + strings.Repeat("x", maxAligned) + "middle" + strings.Repeat("y", 9) + ")",
			"()",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := appendInherited(nil, []byte(tt.from), []byte(tt.data))
			if string(got) != tt.want {
				t.Errorf("of %q, %q has inherited %q, want %q", tt.from, tt.data, got, tt.want)
			}
		})
	}
}

func TestOnlyBuffersHaveBytesToInherit(t *testing.T) {
	from := input.Args{{Kind: input.Bytes, Data: []byte("abc")}, {Kind: input.Int, Bits: 7}, {Kind: input.String, Data: []byte("x")}}
	a := from.Clone()
	a[0].Data, a[1].Bits = []byte("abXXXXc"), 8
	kept := inherited(from, a)
	if len(kept) != 3 || string(kept[0]) != "abc" || kept[1] != nil || string(kept[2]) != "x" {
		t.Fatalf("inherited = %q", kept)
	}
	if !hasMore(a, kept) || hasMore(from, inherited(from, from)) {
		t.Error("what has grown has no more than before, or what has not grown has")
	}
	for i, n := range []int{2, 3, 4, 5} { // each of the X may be removed
		a[0].Data = append([]byte("abXXXXc")[:n:n], "abXXXXc"[n+1:]...)
		if !holds(a, kept) {
			t.Errorf("without byte %d (%d), %q holds no more what it must", n, i, a[0].Data)
		}
	}
	a[0].Data = []byte("bXXXXc")
	if holds(a, kept) {
		t.Errorf("%q seems to hold %q", a[0].Data, kept[0])
	}
}

// Whatever the two are, what is inherited is in the younger one, in its order, and all of it if that has not grown.
func FuzzInherited(f *testing.F) {
	f.Add([]byte("key=value;more"), []byte("key=longer value;mo"))
	f.Add([]byte("aaaa"), []byte("aaaaaaaaaabaaaa"))
	f.Fuzz(func(t *testing.T, from, data []byte) {
		kept := appendInherited(nil, from, data)
		if !holds(input.Args{{Kind: input.Bytes, Data: data}}, [][]byte{kept}) {
			t.Errorf("of %q, %q has inherited %q", from, data, kept)
		}
		if head := commonPrefix(from, data); !bytes.HasPrefix(kept, data[:head]) || len(data) <= len(from) && len(kept) < len(data) {
			t.Errorf("of %q, %q has inherited %q only", from, data, kept)
		}
	})
}

func BenchmarkInherited(b *testing.B) {
	from := bytes.Repeat([]byte("abcdefgh"), maxAligned/8-1)
	data := bytes.Repeat([]byte("hgfedcba"), maxAligned/8)
	for b.Loop() {
		appendInherited(nil, from, data)
	}
}
