package solve

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// varied returns a rig of what a target compares in an input and in variants of it.
func varied(target func(a input.Args) []compare.Record, without technique.Set, in input.Args, variants ...input.Args) *rig {
	tb := new(rig)
	tb.Without = without
	tb.Fill(target(in))
	for _, v := range variants {
		tb.Vary(v, target(v))
	}
	return tb
}

func TestWhatAVariantConfirmsComesFirst(t *testing.T) {
	target := func(a input.Args) []compare.Record {
		return []compare.Record{{Site: 1, Op: compare.ConstInt, Width: 1, A: '!', B: uint64(a[0].Data[3])}}
	}
	tb := varied(target, 0, buffer("aaaaa"), buffer("bcdef"))
	var got []string
	tb.Edits(buffer("aaaaa"), func(e Edit) bool {
		if b := buffer("aaaaa"); e.Apply(b, 99) && string(e.New) == "!" {
			got = append(got, fmt.Sprint(string(b[0].Data), e.Tight))
		}
		return true
	})
	if want := []string{"aaa!afalse", "!aaaafalse", "a!aaafalse", "aa!aafalse", "aaaa!false"}; len(got) != 5 || got[0] != "aaa!atrue" {
		t.Errorf("Edits = %q, want that of position 3 first, and tight, of %q", got, want)
	}
}

func TestFieldsAreSolvedFor(t *testing.T) {
	atoi := func(b []byte) uint64 { n, _ := strconv.Atoi(string(b)); return uint64(n) }
	compared := func(width uint8, want uint64, f func(a input.Args) uint64) func(a input.Args) []compare.Record {
		return func(a input.Args) []compare.Record { return []compare.Record{constant(width, f(a), want)} }
	}
	le16 := func(a input.Args) uint64 { return uint64(binary.LittleEndian.Uint16(a[0].Data[1:])) }
	be32 := func(a input.Args) uint64 { return uint64(binary.BigEndian.Uint32(a[0].Data[1:])) }
	ints := func(v ...int64) (list []input.Args) {
		for _, v := range v {
			list = append(list, number(input.Int, neg(v)))
		}
		return list
	}
	buffers := func(s ...string) (list []input.Args) {
		for _, s := range s {
			list = append(list, buffer(s))
		}
		return list
	}
	binaries := buffers("<\x01\x02\x03\x04>", "<\x81\x42\x13\x14>", "<\x33\x35\xf0\x01>", "<\x07\x77\x01\x99>")
	tests := []struct {
		name   string
		target func(a input.Args) []compare.Record
		in     []input.Args
		want   input.Args
	}{
		{"a decimal number", compared(8, 3000000037, func(a input.Args) uint64 { return atoi(a[0].Data)*3 + 7 }), buffers("11", "27", "93", "45"), buffer("1000000010")},
		{"a negative decimal number", compared(8, neg(-800), func(a input.Args) uint64 { return atoi(a[0].Data)*4 - 400 }), buffers("11", "27", "93", "45"), buffer("-100")},
		{"a number that is subtracted", compared(8, 58, func(a input.Args) uint64 { return 100 - atoi(a[0].Data) }), buffers("11", "27", "93"), buffer("42")},
		{"a 16-bit field", compared(4, 10*500+3, func(a input.Args) uint64 { return le16(a)*10 + 3 }), binaries, buffer("<\xf4\x01\x03\x04>")},
		{"a big-endian field with an xor", compared(4, 0xdeadbeef, func(a input.Args) uint64 { return be32(a) ^ 0xffff0000 }), binaries, buffer("<\x21\x52\xbe\xef>")},
		{"a field whose product overflows", compared(4, 12345, func(a input.Args) uint64 { return be32(a) * 0x9e3779b1 & 0xffffffff }), binaries, nil},
		{"a number", compared(8, 3000000037, func(a input.Args) uint64 { return a[0].Bits*3 + 7 }), ints(5, 9, 12, 77), number(input.Int, 1000000010)},
		{"a negative number", compared(8, 1000, func(a input.Args) uint64 { return a[0].Bits*neg(-2) + 6 }), ints(5, 9, 12, 77), number(input.Int, neg(-497))},
		{"the number next to none", compared(8, 100, func(a input.Args) uint64 { return a[0].Bits * 7 }), ints(5, 9, 12, 77), number(input.Int, 14)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := varied(tt.target, 0, tt.in[0], tt.in[1:]...)
			got := suggested(tb, tt.in[0])
			solved := slices.ContainsFunc(got, func(a input.Args) bool {
				if tt.want != nil {
					return a.Equal(tt.want)
				}
				return len(a[0].Data) == len(tt.in[0][0].Data) && tt.target(a)[0].A == tt.target(a)[0].B
			})
			if !solved {
				t.Errorf("Edits(%v) = %q, want %v among them", tt.in[0], contents(got), tt.want)
			}
			tb = varied(tt.target, technique.Affine, tt.in[0], tt.in[1:]...)
			if tt.want != nil && slices.ContainsFunc(suggested(tb, tt.in[0]), tt.want.Equal) {
				t.Errorf("without affine, Edits(%v) has %v", tt.in[0], tt.want)
			}
		})
	}
}

func TestLengthsAreSolvedFor(t *testing.T) {
	target := func(a input.Args) []compare.Record {
		return []compare.Record{constant(8, uint64(7*len(a[0].Data)), 70)}
	}
	in := buffer("abc")
	tb := varied(target, 0, in, buffer("xyz"))
	for _, s := range []string{"abcc", "abcccc"} {
		tb.VaryLength(buffer(s), target(buffer(s)), 0)
	}
	if got := contents(suggested(tb, in)); !slices.Contains(got, "abcabcabca") {
		t.Errorf("Edits(%v) = %q, want ten bytes among them", in, got)
	}
}

func TestColorizeReplacesWhatMakesNoDifference(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		fixed string // must stay where it is
		cold  string
		calls int
	}{
		{"everything at once", "abc 123, XYZ", "", "###.###..###", 1},
		{"all but a word", "abc 123 magic 456 end", "magic", "###.###.     .###.###", 40},
		{"nothing if all matters", "magic", "magic", "     ", 10},
		{"what the budget allows", "aaaaaaaamagicaaaaaaaaaaaaaaaaaaa", "magic", "                ################", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			at := bytes.Index([]byte(tt.in), []byte(tt.fixed))
			c := Colorize(buffer(tt.in), mutate.NewRand(1), tt.calls, func(a input.Args) bool {
				calls++
				return bytes.HasPrefix(a[0].Data[at:], []byte(tt.fixed))
			})
			got := ""
			for i, cold := range c.Cold[0] {
				switch {
				case cold != (c.Args[0].Data[i] != tt.in[i]):
					t.Errorf("byte %d of %q, which was %q, is cold: %v", i, c.Args[0].Data, tt.in, cold)
				case cold:
					got += "#"
				case wordByte(tt.in[i]):
					got += " "
				default:
					got += "."
				}
			}
			if got != tt.cold || calls > tt.calls || c.Any() != bytes.ContainsRune([]byte(got), '#') {
				t.Errorf("Colorize(%q) = %q in %d calls, cold %q, want %q", tt.in, c.Args[0].Data, calls, got, tt.cold)
			}
		})
	}
}

func TestRecolorKeepsTypes(t *testing.T) {
	class := func(c byte) int {
		for i, k := range classes {
			if c >= k.from && c <= k.to {
				return i
			}
		}
		return -int(c)
	}
	in := buffer("1234567890 azAZfgFG ,;\n\xc3\xa9")
	for seed := range uint64(50) {
		out := Recolor(in, nil, mutate.NewRand(seed))
		for i, c := range out[0].Data {
			old := in[0].Data[i]
			same := class(c) == class(old) || old == '0' && digit(c)
			if changed := c != old; !same || changed != (class(old) >= 0 || old == '0') {
				t.Fatalf("Recolor makes %q of %q", c, old)
			}
		}
	}
	for _, v := range []input.Value{{Kind: input.Int8, Bits: neg(-100)}, {Kind: input.Uint64, Bits: 1 << 63}, {Kind: input.Float64, Bits: 1 << 62}} {
		for seed := range uint64(20) {
			out := Recolor(input.Args{v}, nil, mutate.NewRand(seed))
			if n := mutate.Normalize(v.Kind, out[0].Bits); n != out[0].Bits || v.Kind == input.Int8 && int64(n) > 0 {
				t.Errorf("Recolor(%v) = %v", v, out[0])
			}
		}
	}
}

func TestAPlaceThatBringsNothingIsGivenUp(t *testing.T) {
	r := constant(8, 7, 9)
	tb := table(r)
	for range maxFails {
		if tb.Fill([]compare.Record{r}); len(tb.pairs) != 1 {
			t.Fatal("the place was given up too early")
		}
		tb.Fail(r.Site)
	}
	if tb.Fill([]compare.Record{r}); len(tb.pairs) != 0 {
		t.Errorf("after %d failures the place still has %d pairs", maxFails, len(tb.pairs))
	}
	tb.Succeed(r.Site)
	if tb.Fill([]compare.Record{r}); len(tb.pairs) != 1 {
		t.Error("a success does not help")
	}
}

func TestEachPairOfAPlaceMayBeKept(t *testing.T) {
	var records []compare.Record
	for i := range uint64(200) {
		records = append(records, compare.Record{Site: 1, Op: compare.ConstInt, Width: 8, A: 1 << 40, B: 10 * i * i})
	}
	late := 0
	for n := 100; n <= len(records); n++ {
		tb := table(records[:n]...)
		for i := range tb.pairs {
			if tb.pairs[i].nth >= n/2 {
				late++
			}
		}
	}
	if want := maxPerSite * 101 / 2; late < want*8/10 || late > want*12/10 {
		t.Errorf("%d pairs of the second half were kept, want about %d", late, want)
	}
}

// framed compares a big-endian CRC at the end with that of what precedes it, as a byte-wise reader does.
func framed(a input.Args) []compare.Record {
	n := len(a[0].Data) - 4
	return []compare.Record{
		{Site: 5, Op: compare.ConstInt, Width: 1, A: 'x', B: uint64(a[0].Data[0])},
		{Site: 9, Op: compare.Int, Width: 4, A: uint64(binary.BigEndian.Uint32(a[0].Data[n:])), B: uint64(crc32.ChecksumIEEE(a[0].Data[:n]))},
	}
}

func TestChecksumsAreFoundAndRepaired(t *testing.T) {
	right := func(s string) string {
		return string(binary.BigEndian.AppendUint32([]byte(s), crc32.ChecksumIEEE([]byte(s))))
	}
	isRepaired := func(t *testing.T, tb *rig) {
		t.Helper()
		a := buffer("something else\x01\x02\x03\x04")
		if !tb.sums.Repair(framed(a), a, 99) || string(a[0].Data) != right("something else") {
			t.Errorf("repaired is %q", a[0].Data)
		}
		if tb.sums.Repair(framed(a), a, 99) {
			t.Errorf("what is right was repaired to %q", a[0].Data)
		}
		if tb.Fill(framed(a)); !tb.sums.In(&tb.Log) {
			t.Error("another input at the same place has no checksum")
		}
		if tb.Fill([]compare.Record{constant(4, 1, 2)}); tb.sums.In(&tb.Log) {
			t.Error("an input that does not come to the place has a checksum")
		}
	}
	t.Run("one that is wrong", func(t *testing.T) {
		in := buffer("some text here-1234")
		tb := varied(framed, 0, in, buffer("abcd efgh ijkl-5678"), buffer("zyxw vuts rqpo-9753"))
		tb.FindChecksums(in)
		isRepaired(t, tb)
	})
	t.Run("one that is right", func(t *testing.T) {
		in := buffer(right("some text here"))
		tb := table(framed(in)...)
		list := tb.Candidates(framed(in), in)
		if len(list) != 1 || list[0].At != 14 || list[0].Len != 4 {
			t.Fatalf("the candidates are %+v", list)
		}
		if tb.sums.Confirm(list[0], framed(in)) {
			t.Error("a candidate was confirmed by the same log")
		}
		in[0].Data[13] ^= 1
		if !tb.sums.Confirm(list[0], framed(in)) {
			t.Error("the candidate was not confirmed")
		}
		isRepaired(t, tb)
	})
	t.Run("none without the technique", func(t *testing.T) {
		in := buffer("some text here-1234")
		tb := varied(framed, technique.Checksums, in, buffer("abcd efgh ijkl-5678"), buffer("zyxw vuts rqpo-9753"))
		if tb.FindChecksums(in); len(tb.sums.sums) > 0 || len(tb.Candidates(framed(buffer(right("x"))), buffer(right("x")))) > 0 {
			t.Errorf("found %v", tb.sums)
		}
	})
	t.Run("no two fields that are compared", func(t *testing.T) {
		target := func(a input.Args) []compare.Record {
			b := a[0].Data
			return []compare.Record{{Site: 9, Op: compare.Int, Width: 4, A: uint64(binary.BigEndian.Uint32(b)), B: uint64(binary.BigEndian.Uint32(b[4:]))}}
		}
		in := buffer("abcdefgh")
		if tb := varied(target, 0, in, buffer("qwertzui"), buffer("yxcvbnml")); len(tb.sums.sums) > 0 {
			tb.FindChecksums(in)
			t.Errorf("found %v", tb.sums)
		}
	})
}

func TestChecksumsThatAreArgumentsAreRepaired(t *testing.T) {
	sum := func(a input.Args) uint64 { return uint64(crc32.ChecksumIEEE(a[0].Data)) }
	tests := []struct {
		name   string
		kind   input.Kind
		target func(a input.Args) compare.Record
		want   uint64
	}{
		{"as it is", input.Uint32, func(a input.Args) compare.Record {
			return compare.Record{Width: 4, A: a[1].Bits, B: sum(a)}
		}, uint64(crc32.ChecksumIEEE([]byte("something else")))},
		{"on the other side", input.Int, func(a input.Args) compare.Record {
			return compare.Record{Width: 8, A: sum(a), B: a[1].Bits}
		}, uint64(crc32.ChecksumIEEE([]byte("something else")))},
		{"with a sign", input.Int32, func(a input.Args) compare.Record {
			return compare.Record{Width: 4, A: a[1].Bits & 0xffffffff, B: sum(a)}
		}, uint64(int32(crc32.ChecksumIEEE([]byte("something else"))))},
		{"not a small number, which is a limit", input.Int, func(a input.Args) compare.Record {
			return compare.Record{Width: 8, A: a[1].Bits, B: sum(a) & 0xff}
		}, 4},
		{"not a number that is in the data", input.Uint32, func(a input.Args) compare.Record {
			return compare.Record{Width: 4, A: a[1].Bits, B: uint64(binary.BigEndian.Uint32(a[0].Data))}
		}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := func(a input.Args) []compare.Record {
				r := tt.target(a)
				r.Site, r.Op = 9, compare.Int
				return []compare.Record{r}
			}
			tuple := func(data string, bits uint64) input.Args {
				return input.Args{{Kind: input.String, Data: []byte(data)}, {Kind: tt.kind, Bits: bits}}
			}
			in := tuple("some text here", 5)
			tb := varied(target, 0, in, tuple("abcd efgh ijkl", 1), tuple("zyxw vuts rqpo", 6))
			tb.FindChecksums(in)
			a := tuple("something else", 4)
			if tb.sums.Repair(target(a), a, 99); a[1].Bits != tt.want || string(a[0].Data) != "something else" {
				t.Errorf("repaired is %q with %#x, want %#x", a[0].Data, a[1].Bits, tt.want)
			}
			if tb.sums.Repair(target(a), a, 99) {
				t.Errorf("what is right was repaired to %#x", a[1].Bits)
			}
		})
	}
}

// digested compares the digits or bytes at the end of an input with what write makes of the digest of the rest.
func digested(fields int, read, write func(b []byte) string) func(a input.Args) []compare.Record {
	return func(a input.Args) []compare.Record {
		b := a[0].Data
		if len(b) < fields {
			return nil
		}
		n := len(b) - fields
		sum := md5.Sum(b[:n])
		return []compare.Record{{Site: 9, Op: compare.Str, SA: []byte(read(b[n:])), SB: []byte(write(sum[:]))}}
	}
}

func TestDigestsThatAreComparedAsTextAreRepaired(t *testing.T) {
	raw := func(b []byte) string { return string(b) }
	unhex := func(b []byte) string { d, _ := hex.DecodeString(string(b)); return string(d) }
	upper := func(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }
	digits := []string{"0123456789abcdef0123456789abcdef", "89898989898989898989898989898989", "fedcba9876543210aaaaaaaaaaaaaaaa"}
	tests := []struct {
		name   string
		target func(a input.Args) []compare.Record
		field  []string // in the entry and its variants
		want   func(sum []byte) string
	}{
		{"hexadecimal digits", digested(32, raw, hex.EncodeToString), digits, hex.EncodeToString},
		{"upper-case digits", digested(32, raw, upper), digits, upper},
		{"bytes", digested(16, raw, raw), []string{"0123456789abcdef", "qwertzuiopyxcvbn", "plokmijnuhbzgvtf"}, raw},
		{"bytes that are written as digits", digested(32, unhex, raw), digits, hex.EncodeToString},
		{
			"no more than a part of a digest", digested(8, raw, func(b []byte) string { return hex.EncodeToString(b[:4]) }),
			[]string{"01234567", "89abcdef", "fedcba98"},
			func(b []byte) string { return hex.EncodeToString(b[:4]) },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := buffer("some text here-" + tt.field[0])
			tb := varied(tt.target, 0, in, buffer("abcd efgh ijkl-"+tt.field[1]), buffer("zyxw vuts rqpo-"+tt.field[2]))
			tb.FindChecksums(in)
			a := buffer("something else-" + tt.field[1])
			sum := md5.Sum([]byte("something else-"))
			if want := "something else-" + tt.want(sum[:]); !tb.sums.Repair(tt.target(a), a, 99) || string(a[0].Data) != want {
				t.Errorf("repaired is %q, want %q", a[0].Data, want)
			}
			if tb.sums.Repair(tt.target(a), a, 99) {
				t.Errorf("what is right was repaired to %q", a[0].Data)
			}
		})
	}
}

// What a target makes of parts of its input is as different in each variant as a digest.
func TestTextThatIsMadeOfTheInputIsNoChecksum(t *testing.T) {
	strs := func(seen, want string) []compare.Record {
		return []compare.Record{{Site: 9, Op: compare.Str, SA: []byte(seen), SB: []byte(want)}}
	}
	tests := []struct {
		name   string
		target func(s string) []compare.Record
	}{
		{"another part of it", func(s string) []compare.Record { return strs(s[:8], s[8:16]) }},
		{"two parts of it", func(s string) []compare.Record { return strs(s[:8], s[8:12]+s[16:20]) }},
		{"parts of it with other case", func(s string) []compare.Record { return strs(s[:8], strings.ToUpper(s[8:12]+s[16:20])) }},
		{"a part of it behind a word", func(s string) []compare.Record { return strs(s[:12], "name"+s[12:20]) }},
		{"a part of it in other words", func(s string) []compare.Record { return strs(s[:8], "<"+s[8:20]+">") }},
		{"a few digits", func(s string) []compare.Record {
			return strs(s[:4], fmt.Sprintf("%04x", crc32.ChecksumIEEE([]byte(s[4:]))&0xffff))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := func(a input.Args) []compare.Record { return tt.target(string(a[0].Data)) }
			in := buffer("abcdefghijklmnopqrstuvwxyz")
			tb := varied(target, 0, in, buffer("qwertzuiopasdfghjklyxcvbnm"), buffer("zyxwvutsrqponmlkjihgfedcba"))
			if tb.FindChecksums(in); len(tb.sums.sums) > 0 {
				t.Errorf("found %v", tb.sums)
			}
		})
	}
}

func BenchmarkEdits(b *testing.B) {
	for _, n := range []int{256, 4096} {
		text := parserText(n)
		records := parserLog(4096, text)
		in := input.Args{{Kind: input.Bytes, Data: text}}
		for _, variants := range []int{0, 3} {
			b.Run(fmt.Sprintf("bytes=%d/variants=%d", n, variants), func(b *testing.B) {
				tb := table(records...)
				r := mutate.NewRand(1)
				for range variants {
					tb.Vary(Recolor(in, nil, r), records)
				}
				edits := 0
				for b.Loop() {
					edits = 0
					tb.Edits(in, func(Edit) bool { edits++; return edits < 4096 })
				}
				b.ReportMetric(float64(edits), "edits")
			})
		}
	}
}
