package solve

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// made returns the buffers that the edits make of one buffer.
func made(in string, records ...compare.Record) []string {
	return contents(suggested(table(records...), buffer(in)))
}

func TestIntegersAreReplacedInEveryForm(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	std, url := base64.StdEncoding, base64.RawURLEncoding
	be64 := func(v uint64) []byte { return be.AppendUint64(nil, v) }
	be32 := func(v uint32) []byte { return be.AppendUint32(nil, v) }
	le32 := func(v uint32) []byte { return le.AppendUint32(nil, v) }
	raw := func(enc *base64.Encoding, head string, b []byte) string {
		return enc.EncodeToString(append([]byte(head), b...))
	}
	float64Bits, float32Bits := math.Float64bits, math.Float32bits
	tests := []struct {
		name     string
		r        compare.Record
		in, want string
	}{
		{"24 bits, little-endian", constant(4, 0x818283, 0x919293), "<\x83\x82\x81>", "<\x93\x92\x91>"},
		{"24 bits, big-endian", constant(4, 0x818283, 0x919293), "<\x81\x82\x83>", "<\x91\x92\x93>"},
		{"signed 24 bits", constant(8, neg(-70000), neg(-80000)), "<\xfe\xee\x90>", "<\xfe\xc7\x80>"},
		{"40 bits, little-endian", constant(8, 0x8182838485, 0x9192939495), "<\x85\x84\x83\x82\x81>", "<\x95\x94\x93\x92\x91>"},
		{"40 bits, big-endian", constant(8, 0x8182838485, 0x9192939495), "<\x81\x82\x83\x84\x85>", "<\x91\x92\x93\x94\x95>"},
		{"48 bits, little-endian", constant(8, 0x818283848586, 1), "<\x86\x85\x84\x83\x82\x81>", "<\x01\x00\x00\x00\x00\x00>"},
		{"48 bits, big-endian", constant(8, 0x818283848586, 1), "<\x81\x82\x83\x84\x85\x86>", "<\x00\x00\x00\x00\x00\x01>"},
		{"56 bits, little-endian", constant(8, 0x81828384858687, 1), "<\x87\x86\x85\x84\x83\x82\x81>", "<\x01\x00\x00\x00\x00\x00\x00>"},
		{"56 bits, big-endian", constant(8, 0x81828384858687, 1), "<\x81\x82\x83\x84\x85\x86\x87>", "<\x00\x00\x00\x00\x00\x00\x01>"},

		{"a decimal number behind a plus", constant(8, 12, 77), "<+12>", "<+77>"},
		{"a decimal number behind a plus by a negative one", constant(8, 12, neg(-7)), "<+12>", "<-7>"},
		{"a decimal number that something else than a sign precedes", constant(8, 12, 77), "a-12", "a-77"},
		{"a decimal number with zeros at its head", constant(8, 12, 7777), "<000012>", "<007777>"},
		{"a decimal number with separators", constant(8, 12345, 99999), "<12_345>", "<99999>"},
		{"an unsigned decimal number with the top bit set", constant(8, neg(-5), neg(-7)), "<18446744073709551611>", "<18446744073709551609>"},
		{"an unsigned decimal number of 32 bits with the top bit set", constant(4, neg(-5), 12), "<4294967291>", "<12>"},
		{"a number by an unsigned one with the top bit set", constant(8, 5, 1<<63), "<5>", "<9223372036854775808>"},
		{"upper-case hexadecimal digits", constant(4, 0xbeef, 0xcafe), "<BEEF>", "<CAFE>"},
		{"hexadecimal digits behind 0X", constant(4, 0xbeef, 0xcafe), "0XBEEF", "0XCAFE"},
		{"hexadecimal digits with separators", constant(4, 0xbeef, 0xcafe), "0xbe_ef", "0xcafe"},
		{"a negative hexadecimal number", constant(8, neg(-0x1f), neg(-0x2f)), "<-1f>", "<-2f>"},
		{"a negative hexadecimal number behind 0x", constant(8, neg(-0x1f), neg(-0x2f)), "<-0x1f>", "<-0x2f>"},
		{"a negative hexadecimal number behind 0x by another one", constant(8, neg(-0x1f), 0x2f), "<-0x1f>", "<0x2f>"},
		{"a hexadecimal number behind 0X by a negative one", constant(8, 0x1f, neg(-0x2f)), "<0X1f>", "<-0X2f>"},
		{"a hexadecimal number behind a plus and 0x", constant(8, 0x1f, 0x2f), "<+0x1f>", "<+0x2f>"},
		{"a negative binary number behind 0b", constant(8, neg(-2), neg(-5)), "-0b10", "-0b101"},
		{"a decimal number behind a field that ends with a zero", constant(8, 12, neg(-7)), "0\x0012", "0\x00-7"},
		{"octal digits behind a zero", constant(8, 0o755, 0o644), "<0755>", "<0644>"},
		{"more octal digits behind a zero", constant(8, 0o75, 0o6444), "<075>", "<06444>"},
		{"octal digits behind 0O", constant(8, 5, 0o644), "<0O5>", "<0O644>"},
		{"binary digits behind 0B", constant(8, 2, 5), "<0B10>", "<0B101>"},
		{"binary digits", constant(8, 10, 5), "<1010>", "<101>"},

		{"the text of a float that was cut", constant(8, 12, 3000), "<12.75>", "<3000>"},
		{"the text of a negative float that was cut", constant(8, neg(-12), neg(-3000)), "<-12.75>", "<-3000>"},
		{"the text of a float with an exponent", constant(8, 1200, 3000), "<1.2e3>", "<3000>"},
		{"the text of a float of which the bits were compared", constant(8, float64Bits(12.5), float64Bits(1234.5)), "<12.5>", "<1234.5>"},
		{"the text of a small float of which the bits were compared", constant(4, uint64(float32Bits(12.5)), uint64(float32Bits(0.1))), "<12.5>", "<0.1>"},
		{"a float32, little-endian, that was cut", constant(8, 12, 3000), "<" + string(le32(float32Bits(12))) + ">", "<" + string(le32(float32Bits(3000))) + ">"},
		{"a float32, big-endian, that was cut", constant(8, 12, 3000), "<" + string(be32(float32Bits(12))) + ">", "<" + string(be32(float32Bits(3000))) + ">"},
		{"a float64, little-endian, that was cut", constant(8, 12, 3000), "<" + string(le.AppendUint64(nil, float64Bits(12))) + ">", "<" + string(le.AppendUint64(nil, float64Bits(3000))) + ">"},
		{"a float64, big-endian, that was cut", constant(8, 12, 3000), "<" + string(be64(float64Bits(12))) + ">", "<" + string(be64(float64Bits(3000))) + ">"},

		{"a float32 that was cut, by zero", constant(8, 12, 0), "<" + string(le32(float32Bits(12))) + ">", "<\x00\x00\x00\x00>"},
		{"a float64 that was cut, by zero", constant(8, 12, 0), "<" + string(be64(float64Bits(12))) + ">", "<\x00\x00\x00\x00\x00\x00\x00\x00>"},

		{"the hexadecimal text of bytes, little-endian", constant(4, 0x81828384, 1), "ff84838281ff", "ff01000000ff"},
		{"the hexadecimal text of bytes, big-endian", constant(4, 0x818283a4, 1), "ff818283a4ff", "ff00000001ff"},
		{"the upper-case text of bytes, little-endian", constant(4, 0x818283a4, 0xab), "FFA4838281FF", "FFAB000000FF"},
		{"the upper-case text of bytes, big-endian", constant(4, 0x818283a4, 0xab), "FF818283A4FF", "FF000000ABFF"},
		{"the hexadecimal text of 32 bits that were widened", constant(8, 0x818283a4, 0xab), "ff818283a4ff", "ff000000abff"},
		{"the same, little-endian", constant(8, 0x818283a4, 0xab), "ffa4838281ff", "ffab000000ff"},
		{"the same, upper-case", constant(8, 0x818283a4, 0xab), "FF818283A4FF", "FF000000ABFF"},
		{"the same, upper-case and little-endian", constant(8, 0x818283a4, 0xab), "FFA4838281FF", "FFAB000000FF"},
		{"the hexadecimal text of 16 bits that were widened", constant(8, 0x81a2, 0xab), "ff81a2ff", "ff00abff"},
		{"the same of 16 bits, little-endian", constant(8, 0x81a2, 0xab), "ffa281ff", "ffab00ff"},

		{"base64 of big-endian bytes", constant(8, 0x0102030405060708, 1<<60), "k=" + raw(std, "", be64(0x0102030405060708)) + ";", "k=" + raw(std, "", be64(1<<60)) + ";"},
		{"base64 of little-endian bytes", constant(4, 0x01020304, 77), raw(std, "", le32(0x01020304)), raw(std, "", le32(77))},
		{"base64 of bytes in the second phase", constant(4, 0x01020304, 77), raw(std, "x", be32(0x01020304)), raw(std, "x", be32(77))},
		{"base64 of bytes in the third phase", constant(4, 0x01020304, 77), raw(std, "xy", be32(0x01020304)), raw(std, "xy", be32(77))},
		{"base64 of 32 bits that were widened", constant(8, 0x01020304, 77), raw(std, "xy", be32(0x01020304)), raw(std, "xy", be32(77))},
		{"base64 for URLs", constant(8, 0x0102030405060708, 0xfffefdfcfbfaf9f8), raw(url, "", be64(0x0102030405060708)), raw(url, "", be64(0xfffefdfcfbfaf9f8))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := made(tt.in, tt.r); !slices.Contains(got, tt.want) {
				t.Errorf("Edits(%q), with %#x of %d bytes compared with %#x, = %q, want %q among them", tt.in, tt.r.B, tt.r.Width, tt.r.A, got, tt.want)
			}
			tb := new(rig)
			tb.Without = technique.Encodings
			tb.Fill([]compare.Record{tt.r})
			if got := contents(suggested(tb, buffer(tt.in))); slices.Contains(got, tt.want) {
				t.Errorf("without encodings, Edits(%q) = %q, which has %q among them", tt.in, got, tt.want)
			}
		})
	}
}

func TestStringsAreReplacedInEveryForm(t *testing.T) {
	std, url := base64.StdEncoding.EncodeToString, base64.RawURLEncoding.EncodeToString
	tests := []struct {
		name     string
		a, b     string
		in, want string
	}{
		{"reversed", "abc", "wxyz", "<cba>", "<zyxw>"},
		{"in hexadecimal", "lmno", "xyz", "<" + hex.EncodeToString([]byte("lmno")) + ">", "<" + hex.EncodeToString([]byte("xyz")) + ">"},
		{"in upper-case hexadecimal", "lmno", "z", "<6C6D6E6F>", "<7A>"},
		{"quoted as in JSON", "hello", "say \"hi\"\n\t\r\\\x01", `{"k":"hello"}`, `{"k":"say \"hi\"\n\t\r\\\u0001"}`},
		{"that is quoted as in JSON", "a\"b", "c", `{"k":"a\"b"}`, `{"k":"c"}`},
		{"quoted twice", "hello", "say \"hi\"", `"\"hello\""`, `"\"say \\\"hi\\\"\""`},
		{"as in XML", "hello", `a<b>&"c"'`, `<k a="hello">`, `<k a="a&lt;b&gt;&amp;&#34;c&#34;&#39;">`},
		{"in escapes", "ab", "é🐿", `"\u0061\u0062"`, `"\u00e9\ud83d\udc3f"`},
		{"percent-encoded", "hello", "a&b=c d%", "q=hello", "q=a%26b%3Dc%20d%25"},
		{"that is percent-encoded", "a b", "c", "q=a%20b", "q=c"},
		{"that is percent-encoded throughout", "ab", "cd", "q=%61%62", "q=%63%64"},
		{"percent-encoded, with slashes", "/a b", "/c d/e", "GET /a%20b", "GET /c%20d/e"},
		{"as in a query", "a b", "c d", "q=a+b", "q=c+d"},
		{"in UTF-16, little-endian", "abc", "wé🐿", "<a\x00b\x00c\x00>", "<w\x00\xe9\x00\x3d\xd8\x3f\xdc>"},
		{"in UTF-16, big-endian", "abc", "wé🐿", "<\x00a\x00b\x00c>", "<\x00w\x00\xe9\xd8\x3d\xdc\x3f>"},
		{"in a field that zeros fill up", "abc", "longer", "<abc\x00\x00\x00\x00>", "<longer\x00>"},
		{"in a field that zeros fill up, by a shorter one", "abcd", "z", "<abcd\x00>", "<z\x00\x00\x00\x00>"},
		{"in base64", "hello", "secret", "k=" + std([]byte("hello")), "k=" + std([]byte("secret"))},
		{"in base64, in the second phase", "hello", "secret", std([]byte("xhello")), std([]byte("xsecret"))},
		{"in base64, in the third phase", "hello", "secret", std([]byte("xyhello!")), std([]byte("xysecret!"))},
		{"in base64 that letters precede", "hello", "secret", "k/" + std([]byte("hello")), "k/" + std([]byte("secret"))},
		{"in base64 for URLs", "hello", "\xff\xfe\xfd", url([]byte("hello")), url([]byte("\xff\xfe\xfd"))},
		{"in all of a short base64 text", "a", "secret", std([]byte("a")), std([]byte("secret"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := made(tt.in, texts(tt.a, tt.b)); !slices.Contains(got, tt.want) {
				t.Errorf("Edits(%q), with %q compared with %q, = %q, want %q among them", tt.in, tt.a, tt.b, got, tt.want)
			}
			tb := new(rig)
			tb.Without = technique.Encodings
			tb.Fill([]compare.Record{texts(tt.a, tt.b)})
			if got := contents(suggested(tb, buffer(tt.in))); slices.Contains(got, tt.want) {
				t.Errorf("without encodings, Edits(%q) = %q, which has %q among them", tt.in, got, tt.want)
			}
		})
	}
}

func TestLengthsOfPartsAreChanged(t *testing.T) {
	tests := []struct {
		name     string
		r        compare.Record
		in, want string
	}{
		{"all but the head", constant(8, 4, 6), "ab: cdef", "ab: cdefab"},
		{"all but the head, shorter", constant(8, 6, 2), "abcdefghij", "abcdef"},
		{"a word", constant(8, 3, 5), "a:bcd:ef", "a:bcdbc:ef"},
		{"a word, shorter", constant(8, 3, 1), "a:bcd:ef", "a:b:ef"},
		{"a field", constant(8, 5, 7), "a;b-c-d;", "a;b-c-db-;"},
		{"a word, much longer", constant(8, 3, 2000), "a:bcd:ef", "a:" + strings.Repeat("bcd", 667)[:2000] + ":ef"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := made(tt.in, tt.r); !slices.Contains(got, tt.want) {
				t.Errorf("Edits(%q), with %d compared with %d, = %q, want %q among them", tt.in, tt.r.B, tt.r.A, got, tt.want)
			}
			tb := new(rig)
			tb.Without = technique.Lengths
			tb.Fill([]compare.Record{tt.r})
			if got := contents(suggested(tb, buffer(tt.in))); slices.Contains(got, tt.want) {
				t.Errorf("without lengths, Edits(%q) = %q, which has %q among them", tt.in, got, tt.want)
			}
		})
	}
	tb := new(rig)
	tb.Without = technique.Lengths
	tb.Fill([]compare.Record{constant(8, 4, 6)})
	if got := suggested(tb, buffer("abcd")); len(got) > 0 {
		t.Errorf("without lengths, the length of a buffer is edited: %q", contents(got))
	}
}

func TestAllBuffersAreResized(t *testing.T) {
	in := input.Args{buffer("ab")[0], {Kind: input.String, Data: []byte("cdef")}}
	if got := contents(suggested(table(constant(8, 4, 6)), in)); !slices.Contains(got, "ab|cdefcd") {
		t.Errorf("Edits(%v) = %q, want \"ab|cdefcd\" among them", in, got)
	}
}

func TestRandomDrawsNoCommonFormInVain(t *testing.T) {
	const seen, want = 97, 98
	for i, f := range forms[:commonForms] {
		t.Run(f.name, func(t *testing.T) {
			width := uint8(8)
			if f.name == "rune" {
				width = 4
			}
			in := "97.0"
			switch {
			case f.base > floatBase:
				in = strconv.FormatUint(seen, int(f.base))
			case f.base == 0:
				enc, _ := f.append(nil, seen, width)
				in = string(enc)
			}
			tb := table(constant(width, seen, want))
			a, made := buffer(in), 0
			tb.solver.search.startRandom(0, a)
			tb.solver.search.tried = 1 << i
			tb.solver.pairEdits(&tb.pairs[0], nil, a, func(Edit) bool { made++; return true })
			if made == 0 {
				t.Errorf("nothing is made of %q", in)
			}
		})
	}
}
