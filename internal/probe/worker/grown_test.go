package worker

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
)

func oneBuffer(data string) input.Args { return input.Args{{Kind: input.Bytes, Data: []byte(data)}} }

// bare returns a without what has grown.
func bare(from, a input.Args) input.Args {
	parts := grown(from, a)
	return weave(a, parts, make(input.Args, len(parts)))
}

func TestWhatIsInheritedIsAllButWhatHasGrown(t *testing.T) {
	for _, tt := range []struct {
		name, from, data, want string
	}{
		{"the same", "key=value", "key=value", "key=value"},
		{"from nothing", "", "grown", ""},
		{"nothing is left", "value", "", ""},
		{"as long a replacement", "key=value", "key=VALUE", "key=VALUE"},
		{"a shorter replacement", "key=value", "key=v", "key=v"},
		{"something inserted", "key=value", "key=....value", "key=value"},
		{"a longer replacement", "key=value", "longer=value", "=value"},
		{"something removed", "one,two,three", "one,three", "one,three"},
		{"inserted twice", "one,two,three", "one,---two,....three", "one,two,three"},
		{"inserted behind something removed", "one,two,three", "one,three,four", "one,three"},
		{"two bytes in common by chance", "((ab))", "((......ab....))", "(())"},
		{"a copy of what is there", "abcabc", "abcabcabc", "abcabc"},
		{
			"far behind what has grown", "(middle)", "(" + strings.Repeat("x", maxAligned) + "middle" + strings.Repeat("y", 9) + ")",
			"()",
		},
		{
			"twice in a long one", strings.Repeat("0123456789", 200), "01XX23" + strings.Repeat("4567890123", 199) + "YYY456789",
			strings.Repeat("0123456789", 200),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := bare(oneBuffer(tt.from), oneBuffer(tt.data)); string(got[0].Data) != tt.want {
				t.Errorf("of %q, %q has inherited %q, want %q", tt.from, tt.data, got[0].Data, tt.want)
			}
		})
	}
}

func TestPartsOfSeveralArgumentsAreWovenIn(t *testing.T) {
	from := input.Args{{Kind: input.Bytes, Data: []byte("abc")}, {Kind: input.Int, Bits: 7}, {Kind: input.String, Data: []byte("xyz")}}
	a := from.Clone()
	a[0].Data, a[1].Bits, a[2].Data = []byte("ab..c"), 8, []byte("_xyz__")
	parts := grown(from, a)
	if want := []span{{0, 2, 4}, {2, 0, 1}, {2, 4, 6}}; !slices.Equal(parts, want) {
		t.Fatalf("grown = %v, want %v", parts, want)
	}
	p := pieces(a, parts)
	if got := weave(a, parts, p); !got.Equal(a) {
		t.Errorf("woven of its own parts it is %v, want %v", got, a)
	}
	p[0].Data, p[2].Data = []byte("."), nil
	if got := weave(a, parts, p); string(got[0].Data) != "ab.c" || got[1].Bits != 8 || string(got[2].Data) != "_xyz" {
		t.Errorf("woven of smaller parts it is %q", got.Values())
	}
	if string(a[0].Data) != "ab..c" || string(a[2].Data) != "_xyz__" {
		t.Errorf("the input has become %q", a.Values())
	}
	if parts := grown(nil, a); !slices.Equal(parts, []span{{0, 0, 5}, {2, 0, 6}}) {
		t.Errorf("of nothing, %v has grown", parts)
	}
}

// However long an entry is, what has grown is taken away in a few executions.
func TestWhatHasGrownInALongEntryIsMinimized(t *testing.T) {
	text := strings.Repeat(`{"key": [1, 2, 3], "other": "words"}, `, 4<<10/38)
	for _, tt := range []struct{ name, more, want string }{
		{"all of it", "some more of the same", ""},
		{"all but what is needed", "some morXe of the same", "X"},
		{"of two parts", "..X..", "X"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const at = 1234
			a := oneBuffer(text[:at] + tt.more + text[at:])
			from := oneBuffer(text)
			if tt.name == "of two parts" {
				a[0].Data = append(a[0].Data, "....."...)
			}
			best, checks := a, 0
			reduce := shrinkGrown(a, grown(from, a), minimize.Options{RemoveOnly: true, Deadline: func() bool { return checks >= 100 }, Check: func(c input.Args) bool {
				checks++
				if bytes.Contains(a[0].Data, []byte("X")) && !bytes.Contains(c[0].Data, []byte("X")) {
					return false
				}
				best = c.Clone()
				return true
			}})
			reduce()
			if got := string(best[0].Data); got != text[:at]+tt.want+text[at:] || checks > 40 {
				t.Errorf("after %d candidates %d bytes are left, want %d", checks, len(got), len(text)+len(tt.want))
			}
			before := checks
			if reduce(); checks > before+20 {
				t.Errorf("once more, it has tried %d candidates", checks-before)
			}
		})
	}
}

// Whatever the two are, what is inherited is in the younger one, in its order, and all of it if that has not grown.
func FuzzGrown(f *testing.F) {
	f.Add([]byte("key=value;more"), []byte("key=longer value;mo"))
	f.Add([]byte("aaaa"), []byte("aaaaaaaaaabaaaa"))
	f.Fuzz(func(t *testing.T, from, data []byte) {
		a, base := oneBuffer(string(data)), oneBuffer(string(from))
		parts := grown(base, a)
		end := -1
		for _, s := range parts {
			if s.lo <= end || s.hi <= s.lo || s.hi > len(data) {
				t.Fatalf("of %q, %v of %q has grown", from, parts, data)
			}
			end = s.hi
		}
		if len(parts) > 0 && len(data) <= len(from) {
			t.Errorf("%q is no longer than %q, and %v has grown", data, from, parts)
		}
		if left := bare(base, a); len(left[0].Data) > len(from) {
			t.Errorf("%q has inherited %q of %q", data, left[0].Data, from)
		}
		if !weave(a, parts, pieces(a, parts)).Equal(a) {
			t.Errorf("%q is not made of its parts %v and the rest", data, parts)
		}
	})
}

func BenchmarkGrown(b *testing.B) {
	for _, bb := range []struct {
		name string
		from func(*rand.Rand) byte
	}{
		{"nothing in common", func(*rand.Rand) byte { return 'a' }},
		{"much by chance", func(r *rand.Rand) byte { return 'a' + byte(r.IntN(2)) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			from, data := make([]byte, maxAligned-8), make([]byte, maxAligned)
			for i := range data {
				data[i] = 'b' + byte(i&1)
			}
			for i := range from {
				from[i] = bb.from(r)
			}
			x, y := oneBuffer(string(from)), oneBuffer(string(data))
			for b.Loop() {
				grown(x, y)
			}
		})
	}
}
