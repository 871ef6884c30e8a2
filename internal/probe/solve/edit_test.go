package solve

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// constant is a comparison of a value that the target computed with a constant, as the compiler reports it.
func constant(width uint8, seen, want uint64) compare.Record {
	return compare.Record{Site: 1, Op: compare.ConstInt, Width: width, A: want & widthMask(width), B: seen & widthMask(width)}
}

func texts(a, b string) compare.Record {
	return compare.Record{Site: 1, Op: compare.Str, SA: []byte(a), SB: []byte(b)}
}

func buffer(s string) input.Args { return input.Args{{Kind: input.Bytes, Data: []byte(s)}} }

func number(k input.Kind, bits uint64) input.Args { return input.Args{{Kind: k, Bits: bits}} }

// suggested returns what the edits make of a, one tuple each, in order.
func suggested(table *rig, a input.Args) (made []input.Args) {
	table.Edits(a, func(e Edit) bool {
		if b := a.Clone(); e.Apply(b, 1<<16) {
			made = append(made, b)
		}
		return true
	})
	return made
}

// contents returns the buffers of tuples, those of one tuple joined by "|".
func contents(tuples []input.Args) []string {
	list := []string{}
	for _, a := range tuples {
		var parts []string
		for i := range a {
			parts = append(parts, string(a[i].Data))
		}
		list = append(list, strings.Join(parts, "|"))
	}
	return list
}

// neg is v in two's complement.
func neg(v int64) uint64 { return uint64(v) }

func TestIntegersAreReplacedWhereTheyStand(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	// three are the encodings of want, want+1 and want-1.
	three := func(enc func(v uint64) []byte, want uint64) (list []string) {
		for _, v := range []uint64{want, want + 1, want - 1} {
			list = append(list, "<"+string(enc(v))+">")
		}
		return list
	}
	le16 := func(v uint64) []byte { return le.AppendUint16(nil, uint16(v)) }
	be16 := func(v uint64) []byte { return be.AppendUint16(nil, uint16(v)) }
	le32 := func(v uint64) []byte { return le.AppendUint32(nil, uint32(v)) }
	be32 := func(v uint64) []byte { return be.AppendUint32(nil, uint32(v)) }
	le64 := func(v uint64) []byte { return le.AppendUint64(nil, v) }
	be64 := func(v uint64) []byte { return be.AppendUint64(nil, v) }
	uvarint := func(v uint64) []byte { return binary.AppendUvarint(nil, v) }
	varint := func(v uint64) []byte { return binary.AppendVarint(nil, int64(v)) }
	utf8 := func(v uint64) []byte { return []byte(string(rune(v))) }
	const seen, want = 0x8182838485868788, 0x9192939495969798

	tests := []struct {
		name string
		r    compare.Record
		in   string
		want []string
	}{
		{"a byte", constant(1, 0x81, 0x92), "<\x81>", []string{"<\x92>", "<\x93>", "<\x91>"}},
		{"16 bits, little-endian", constant(2, seen, want), "<\x88\x87>", three(le16, want)},
		{"16 bits, big-endian", constant(2, seen, want), "<\x87\x88>", three(be16, want)},
		{"32 bits, little-endian", constant(4, seen, want), "<" + string(le32(seen&0xffffffff)) + ">", three(le32, want)},
		{"32 bits, big-endian", constant(4, seen, want), "<" + string(be32(seen&0xffffffff)) + ">", three(be32, want)},
		{"64 bits, little-endian", constant(8, seen, want), "<" + string(le64(seen)) + ">", three(le64, want)},
		{"64 bits, big-endian", constant(8, seen, want), "<" + string(be64(seen)) + ">", three(be64, want)},
		{"two occurrences, one at a time", constant(1, 'x', '0'), "x-x", []string{"0-x", "1-x", "/-x", "x-0", "x-1", "x-/"}},

		{"a byte that was widened", constant(8, 0x81, 0x92), "<\x81>", []string{"<\x92>", "<\x93>", "<\x91>"}},
		{"a signed byte that was widened", constant(8, neg(-3), neg(-5)), "<\xfd>", []string{"<\xfb>", "<\xfc>", "<\xfa>"}},
		{"16 bits that were widened, little-endian", constant(4, 0x8182, 0x9192), "<\x82\x81>", three(le16, 0x9192)},
		{"16 bits that were widened, big-endian", constant(8, 0x8182, 0x9192), "<\x81\x82>", three(be16, 0x9192)},
		{"signed 16 bits that were widened", constant(8, neg(-300), neg(-500)), "<" + string(be16(neg(-300))) + ">", three(be16, neg(-500))},
		{"32 bits that were widened, little-endian", constant(8, 0x81828384, 0x91929394), "<\x84\x83\x82\x81>", three(le32, 0x91929394)},
		{"32 bits that were widened, big-endian", constant(8, 0x81828384, 0x91929394), "<\x81\x82\x83\x84>", three(be32, 0x91929394)},
		{"signed 32 bits that were widened", constant(8, neg(-70000), neg(-80000)), "<" + string(le32(neg(-70000))) + ">", three(le32, neg(-80000))},
		{"only what fits into a narrow field", constant(8, 0x81, 0x100), "<\x81>", []string{"<\xff>"}},
		{"nothing if it is too narrow for all", constant(8, 0x81, 0x1234), "<\x81>", nil},

		{"decimal digits", constant(8, 123, 7777), "n=123;", []string{"n=7777;", "n=7778;", "n=7776;"}},
		{"a negative decimal number", constant(4, neg(-45), 12), "<-45>", []string{"<12>", "<13>", "<11>"}},
		{"by a negative decimal number, or a large one", constant(8, 45, neg(-12)), "<45>", []string{
			"<-12>", "<-11>", "<-13>", "<18446744073709551604>", "<18446744073709551605>", "<18446744073709551603>",
		}},
		{"the smallest number in decimal", constant(8, 1<<63, 34), "<-9223372036854775808>", []string{"<34>", "<35>", "<33>"}},
		{"decimal zero", constant(8, 0, 4), "<0>", []string{"<4>", "<5>", "<3>"}},
		{"a decimal number between letters", constant(8, 123, 77), "v123b", []string{"v77b", "v78b", "v76b"}},
		{"no digits inside a longer number", constant(8, 123, 77), "1234, 9123, 51237", nil},
		{"each decimal number", constant(8, 12, 40), "12,12", []string{"40,12", "41,12", "39,12", "12,40", "12,41", "12,39"}},
		{"a digit that means the same in all bases once", constant(8, 5, 3), "<5>", []string{"<3>", "<4>", "<2>"}},
		{"hexadecimal digits", constant(4, 0xbeef, 0xcafe), "<beef>", []string{"<cafe>", "<caff>", "<cafd>"}},
		{"hexadecimal digits behind a prefix", constant(4, 0xbeef, 0xcafe), "0xbeef", []string{"0xcafe", "0xcaff", "0xcafd"}},
		{"a large unsigned number in hexadecimal", constant(8, 0xfedcba9876543210, 1), "fedcba9876543210", []string{
			"1", "2", "0", "0000000000000001", "0000000000000002", "0000000000000000",
		}},
		{"octal digits behind a prefix", constant(8, 0o755, 0o644), "<0o755>", []string{"<0o644>", "<0o645>", "<0o643>"}},
		{"binary digits behind a prefix", constant(8, 0b1011, 0b110), "<0b1011>", []string{"<0b110>", "<0b111>", "<0b101>"}},

		{"a uvarint", constant(8, 300, 70000), "<\xac\x02>", three(uvarint, 70000)},
		{"a uvarint of one byte by a longer one", constant(8, 5, 300), "<\x05>", three(uvarint, 300)},
		{"a uvarint by one of one byte", constant(8, 300, 5), "<\xac\x02>", three(uvarint, 5)},
		{"the longest uvarint", constant(8, seen, 1000), "<" + string(uvarint(seen)) + ">", three(uvarint, 1000)},
		{"a zigzag varint", constant(8, neg(-65), 64), "<\x81\x01>", three(varint, 64)},
		{"a zigzag varint of 32 bits", constant(4, neg(-65), neg(-3000)), "<\x81\x01>", three(varint, neg(-3000))},
		{"a rune of two bytes by one of three", constant(4, 'é', '世'), "<é>", three(utf8, '世')},
		{"a rune of three bytes by one of four", constant(4, '世', '🐿'), "<世>", three(utf8, '🐿')},
		{"a rune of four bytes by ASCII", constant(4, '🐿', 'm'), "<🐿>", []string{"<m>", "<n>", "<l>"}},
		{"an ASCII rune by one of three bytes", constant(4, 'a', '世'), "<a>", slices.Concat(three(uvarint, '世'), three(utf8, '世'))},
		{"no rune by half a surrogate pair", constant(4, 'é', 0xdabc), "<é>", nil},

		{"nothing that does not stand there", constant(8, 0x1234, 1), "something else", nil},
		{"nothing in an empty buffer", constant(8, 9, 1), "", nil},
		{"nothing that is wider than the buffer", constant(4, 0x81828384, 1), "\x84\x83\x82", nil},
		{"no zeros by what they are already", constant(1, 0xff, 0), "\xff", []string{"\x00", "\x01"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(suggested(table(tt.r), buffer(tt.in))); !slices.Equal(got, tt.want) {
				t.Errorf("Edits(%q), with %#x of %d bytes compared with %#x, = %q, want %q", tt.in, tt.r.B, tt.r.Width, tt.r.A, got, tt.want)
			}
		})
	}
}

func TestBuffersAreResizedToTheLengthThatIsWanted(t *testing.T) {
	tests := []struct {
		name string
		r    compare.Record
		in   string
		want []string
	}{
		{"longer, with itself", constant(8, 4, 6), "abcd", []string{"abcdab", "abcdabc", "abcda"}},
		{"more than twice as long", constant(8, 2, 6), "ab", []string{"ababab", "abababa", "ababa"}},
		{"shorter", constant(8, 4, 2), "abcd", []string{"ab", "abc", "a"}},
		{"longer than empty", constant(8, 0, 3), "", []string{"000", "0000", "00"}},
		{"empty", constant(8, 2, 0), "ab", []string{"", "a"}},
		{"what is one too short", constant(4, 4, 5), "abcd", []string{"abcda", "abcdab"}},
		{"not to a size that no limit allows", constant(8, 4, 1<<40), "abcd", nil},
		{"not if another length was compared", constant(8, 5, 6), "abcd", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(suggested(table(tt.r), buffer(tt.in))); !slices.Equal(got, tt.want) {
				t.Errorf("Edits(%q), with %d compared with %d, = %q, want %q", tt.in, tt.r.B, tt.r.A, got, tt.want)
			}
		})
	}
}

func TestStringsAreReplacedWhereTheyStand(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		in   string
		want []string
	}{
		{"by a longer one", "old", "newer", "key=old;", []string{"key=newer;"}},
		{"by a shorter one", "older", "new", "key=older;", []string{"key=new;"}},
		{"by one of the same length", "GET", "PUT", "GET /", []string{"PUT /"}},
		{"the right operand by the left one", "PUT", "GET", "GET /", []string{"PUT /"}},
		{"in other case", "content-type", "host", "Content-Type: x", []string{"host: x"}},
		{"bytes that are no letters as they are", "[", "x", "{[", []string{"{x"}},
		{"each place", "ab", "c", "ab.AB.ab", []string{"c.c.c", "c.AB.ab", "ab.c.ab", "ab.AB.c"}},
		{"places that overlap", "aa", "b", "aaa", []string{"ba", "ab"}},
		{"the whole buffer", "all", "nothing", "all", []string{"nothing"}},
		{"by nothing", "all", "", "all", []string{"", "allall", "allall"}},
		{"what is empty at both ends", "", "xy", "ab", []string{"xyab", "abxy"}},
		{"what is empty in an empty buffer once", "", "xy", "", []string{"xy"}},
		{"not if it does not stand there", "old", "new", "key=bold", []string{"key=bnew"}},
		{"nothing in what is shorter", "longer", "y", "long", nil},
		{"nothing that does not stand there", "one", "two", "three", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, op := range []compare.Op{compare.Str, compare.Fold} {
				r := texts(tt.a, tt.b)
				r.Op = op
				if got := contents(suggested(table(r), buffer(tt.in))); !slices.Equal(got, tt.want) {
					t.Errorf("Edits(%q), with %q compared with %q by %d, = %q, want %q", tt.in, tt.a, tt.b, op, got, tt.want)
				}
			}
		})
	}
}

func TestNumbersOfEveryKindAreReplaced(t *testing.T) {
	kinds := []input.Kind{
		input.Int, input.Int8, input.Int16, input.Int32, input.Int64,
		input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64,
	}
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			signed := k <= input.Int64
			for width := uint8(1); width <= 8; width *= 2 {
				check := func(seen, want int64) {
					t.Helper()
					in := number(k, mutate.Normalize(k, neg(seen)))
					r := constant(width, in[0].Bits, neg(want))
					for i, v := range []int64{want, want + 1, want - 1} {
						w := number(k, mutate.Normalize(k, neg(v)))
						if got := suggested(table(r), in); !slices.ContainsFunc(got, w.Equal) {
							t.Errorf("Edits(%v), with %#x of %d bytes compared with %#x, = %v, want %v (%d) among them", in, r.B, width, r.A, got, w, i)
						}
					}
				}
				check(5, 77)
				if signed {
					check(-5, 77)
					check(5, -77)
					check(-5, -77)
				}
			}
		})
	}
}

func TestNumbersAreReplacedExactly(t *testing.T) {
	tests := []struct {
		name string
		kind input.Kind
		in   uint64
		r    compare.Record
		want []uint64
	}{
		{"as it is", input.Uint32, 5, constant(4, 5, 77), []uint64{77, 78, 76}},
		{"widened by its sign", input.Int8, neg(-5), constant(8, neg(-5), neg(-7)), []uint64{neg(-7), neg(-6), neg(-8)}},
		{"widened, cut to what the kind holds", input.Uint8, 5, constant(8, 5, 0x1234), []uint64{0x34, 0x35, 0x33}},
		{"narrowed: the rest stays, or is the sign", input.Uint64, 0x1205, constant(1, 5, 0x85), []uint64{
			0x1285, neg(-0x7b), 0x1286, neg(-0x7a), 0x1284, neg(-0x7c),
		}},
		{"narrowed: the rest stays, or is zero", input.Int16, 0x1205, constant(1, 5, 7), []uint64{0x1207, 7, 0x1208, 8, 0x1206, 6}},
		{"not by itself", input.Int, 5, constant(8, 5, 4), []uint64{4, 3}},
		{"past the largest", input.Uint64, 5, constant(8, 5, neg(-1)), []uint64{neg(-1), 0, neg(-2)}},
		{"not if another value was compared", input.Int, 6, constant(8, 5, 77), nil},
		{"not if only the low bytes are equal", input.Int, 0x105, constant(8, 5, 77), nil},
		{"not a bool", input.Bool, 1, constant(1, 1, 0), nil},
		{"the bits of a float", input.Float64, 5, constant(8, 5, 77), []uint64{77, 78, 76}},
		{"the bits of a small float", input.Float32, 5, constant(4, 5, 77), []uint64{77, 78, 76}},
		{"a float that was cut to an integer", input.Float64, math.Float64bits(5.7), constant(8, 5, 77), []uint64{
			math.Float64bits(77), math.Float64bits(78), math.Float64bits(76),
		}},
		{"a small negative float that was cut to an integer", input.Float32, uint64(math.Float32bits(-5.7)), constant(8, neg(-5), 9), []uint64{
			uint64(math.Float32bits(9)), uint64(math.Float32bits(10)), uint64(math.Float32bits(8)),
		}},
		{"not a float of another value", input.Float64, math.Float64bits(5.7), constant(8, 6, 77), nil},
		{"not by a string", input.Int, 0, texts("", "x"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []uint64
			for _, a := range suggested(table(tt.r), number(tt.kind, tt.in)) {
				got = append(got, a[0].Bits)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Edits(%v %#x) = %#x, want %#x", tt.kind, tt.in, got, tt.want)
			}
		})
	}
}

func TestEveryArgumentIsEdited(t *testing.T) {
	in := input.Args{{Kind: input.String, Data: []byte("<9>")}, {Kind: input.Int, Bits: 9}, {Kind: input.Bytes, Data: []byte("9!")}}
	got := suggested(table(constant(8, 9, 700)), in)
	var list []string
	for _, a := range got {
		list = append(list, fmt.Sprintf("%s %d %s", a[0].Data, a[1].Bits, a[2].Data))
	}
	for _, want := range []string{"<700> 9 9!", "<9> 701 9!", "<9> 9 699!"} {
		if !slices.Contains(list, want) {
			t.Errorf("Edits(%v) = %q, want %q among them", in, list, want)
		}
	}
	if got := suggested(table(texts("ab", ""), constant(8, 2, 0)), input.Args{buffer("ab")[0], buffer("c")[0]}); contents(got)[0] != "|c" {
		t.Errorf("one of two buffers did not become empty: %q", contents(got))
	}
}

func TestEditsStopsWhenYieldReturnsFalse(t *testing.T) {
	in := input.Args{{Kind: input.String, Data: []byte("7777 \a 7 abc ")}, {Kind: input.Int, Bits: 7}, {Kind: input.Int32, Bits: 13}}
	tb := table(constant(8, 7, 70), texts("abc", "d"), texts("", "e"), constant(4, 13, 20))
	all := len(suggested(tb, in))
	if all < 15 {
		t.Fatalf("only %d edits", all)
	}
	for stop := 1; stop <= all; stop++ {
		calls := 0
		tb.Edits(in, func(Edit) bool { calls++; return calls < stop })
		if calls != stop {
			t.Errorf("Edits called yield %d times, which returned false at call %d", calls, stop)
		}
	}
}

func TestApply(t *testing.T) {
	cut := func(at, n int, text string) Edit { return Edit{At: at, Len: n, New: []byte(text), Resize: -1} }
	size := func(n int) Edit { return Edit{Resize: n} }
	tests := []struct {
		name   string
		e      Edit
		in     string
		maxLen int
		want   string
		ok     bool
	}{
		{"grow at the head", cut(0, 1, "xyz"), "abcd", 6, "xyzbcd", true},
		{"grow in the middle", cut(1, 2, "xyz"), "abcd", 6, "axyzd", true},
		{"grow at the tail", cut(3, 1, "xyz"), "abcd", 6, "abcxyz", true},
		{"insert at the head", cut(0, 0, "xy"), "abcd", 6, "xyabcd", true},
		{"insert at the end", cut(4, 0, "xy"), "abcd", 6, "abcdxy", true},
		{"shrink at the head", cut(0, 3, "x"), "abcd", 6, "xd", true},
		{"shrink in the middle", cut(1, 2, "x"), "abcd", 6, "axd", true},
		{"shrink at the tail", cut(2, 2, "x"), "abcd", 6, "abx", true},
		{"remove the middle", cut(1, 2, ""), "abcd", 6, "ad", true},
		{"keep the length", cut(1, 2, "xy"), "abcd", 6, "axyd", true},
		{"replace all", cut(0, 4, "x"), "abcd", 6, "x", true},
		{"insert into nothing", cut(0, 0, "x"), "", 6, "x", true},
		{"grow up to the limit", cut(0, 0, "xy"), "abcd", 6, "xyabcd", true},
		{"not beyond the limit", cut(0, 0, "xyz"), "abcd", 6, "abcd", false},
		{"what is beyond it may stay as long", cut(0, 2, "xy"), "abcd", 2, "xycd", true},
		{"what is beyond it may shrink", cut(0, 2, "x"), "abcd", 2, "xcd", true},
		{"what is beyond it may not grow", cut(0, 2, "xyz"), "abcd", 2, "abcd", false},
		{"empty", cut(0, 4, ""), "abcd", 6, "", true},
		{"not where the buffer has ended", cut(3, 2, "x"), "abcd", 6, "abcd", false},
		{"not behind its end", cut(9, 0, "x"), "abcd", 6, "abcd", false},
		{"resize up", size(6), "abcd", 6, "abcdab", true},
		{"resize up from nothing", size(2), "", 6, "00", true},
		{"resize down", size(1), "abcd", 6, "a", true},
		{"not resized beyond the limit", size(7), "abcd", 6, "abcd", false},
		{"what is beyond it may be cut to any size", size(3), "abcd", 2, "abc", true},
		{"resize to nothing", size(0), "abcd", 6, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, spare := range []int{0, 1, 100} {
				a := input.Args{{Kind: input.String, Data: append(make([]byte, 0, len(tt.in)+spare), tt.in...)}}
				if ok := tt.e.Apply(a, tt.maxLen); ok != tt.ok || string(a[0].Data) != tt.want {
					t.Errorf("%+v.Apply(%q, %d) = %q, %v, want %q, %v (%d bytes to spare)", tt.e, tt.in, tt.maxLen, a[0].Data, ok, tt.want, tt.ok, spare)
				}
			}
			if !tt.ok {
				return
			}
			a := append(buffer("first"), buffer(tt.in)...)
			tt.e.Arg = 1
			if ok := tt.e.Apply(a, tt.maxLen); !ok || string(a[0].Data) != "first" || string(a[1].Data) != tt.want {
				t.Errorf("%+v.Apply(%q, %d) = %q, %v, want %q in the second", tt.e, tt.in, tt.maxLen, a[0].Data, ok, tt.want)
			}
		})
	}
	t.Run("numbers are normalised", func(t *testing.T) {
		a := number(input.Int8, 1)
		if e := (Edit{Bits: 0x1280, Resize: -1}); !e.Apply(a, 0) || a[0].Bits != neg(-128) {
			t.Errorf("%+v.Apply = %#x, want -128", e, a[0].Bits)
		}
	})
}

func TestRandomMakesOneOfTheEdits(t *testing.T) {
	in := input.Args{{Kind: input.String, Data: []byte("n=12; name=Old")}, {Kind: input.Int, Bits: 12}}
	tb := table(constant(8, 12, 700), texts("old", "newer"), constant(8, 14, 3), texts("absent", "stays absent"))
	all := suggested(tb, in)
	reached := make([]int, len(all))
	refused := 0
	const budget = 8000
	for seed := range uint64(budget) {
		got := in.Clone()
		if !tb.Random(mutate.NewRand(seed), got, 1<<16) {
			if refused++; !got.Equal(in) {
				t.Fatalf("Random(%d) reports false and made %v", seed, got)
			}
			continue
		}
		i := slices.IndexFunc(all, got.Equal)
		if i < 0 {
			t.Fatalf("Random(%d) made %v, which is none of %v", seed, got, all)
		}
		reached[i]++
	}
	for i, n := range reached {
		if n == 0 {
			t.Errorf("Random never made %v in %d tries", all[i], budget)
		}
	}
	if refused == 0 || refused > budget*2/3 {
		t.Errorf("Random reports false %d times in %d, want some", refused, budget)
	}
}

func TestRandomWithoutAnythingToDo(t *testing.T) {
	r := mutate.NewRand(1)
	for _, tt := range []struct {
		name string
		tb   *rig
		in   input.Args
	}{
		{"an empty Log", new(rig), buffer("abc")},
		{"an emptied Log", func() *rig { tb := table(texts("a", "b")); tb.Fill(nil); return tb }(), buffer("abc")},
		{"no arguments", table(texts("", "b")), nil},
		{"a pair that is not in the input", table(texts("x", "y")), buffer("abc")},
		{"an edit that the limit forbids", table(texts("abc", strings.Repeat("y", 50))), buffer("abc")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 20 {
				got := tt.in.Clone()
				if tt.tb.Random(r, got, 10) || !got.Equal(tt.in) {
					t.Errorf("Random(%v) made %v", tt.in, got)
				}
			}
		})
	}
}
