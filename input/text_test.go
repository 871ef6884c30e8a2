package input

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

const header = textVersion + "\n"

func TestMarshalWritesOneLineForEachArgument(t *testing.T) {
	a, err := FromValues([]any{
		[]byte("a\xff`\n"), "é\u2028", true, -1, int8(-128), int16(7), rune('\''), int32(0xd800), int64(math.MinInt64),
		uint(math.MaxUint32), byte(200), uint16(9), uint32(math.MaxUint32), uint64(3), float32(0.1), math.Copysign(0, -1),
		math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0xfff8000000000001), math.Float32frombits(0x7f800001), 1e21,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := header + `[]byte("a\xff` + "`" + `\n")
string("é\u2028")
bool(true)
int(-1)
int8(-128)
int16(7)
rune('\'')
int32(55296)
int64(-9223372036854775808)
uint(4294967295)
byte('È')
uint16(9)
uint32(4294967295)
uint64(3)
float32(0.1)
float64(-0)
float64(+Inf)
float64(-Inf)
float64(NaN)
math.Float64frombits(0xfff8000000000001)
math.Float32frombits(0x7f800001)
float64(1e+21)
`
	if got := string(Marshal(a)); got != want {
		t.Errorf("Marshal = %s\nwant %s", got, want)
	}
}

// documentedLine is the line of a Go value as the format is documented, in terms of the verbs of package fmt.
func documentedLine(v any) string {
	switch v := v.(type) {
	case []byte:
		return fmt.Sprintf("[]byte(%q)\n", v)
	case string, byte:
		return strings.Replace(fmt.Sprintf("%T(%q)\n", v, v), "uint8", "byte", 1)
	case rune:
		if utf8.ValidRune(v) {
			return fmt.Sprintf("rune(%q)\n", v)
		}
	case float32:
		if bits := math.Float32bits(v); v != v && bits != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(%#x)\n", bits)
		}
	case float64:
		if bits := math.Float64bits(v); v != v && bits != math.Float64bits(math.NaN()) {
			return fmt.Sprintf("math.Float64frombits(%#x)\n", bits)
		}
	}
	return fmt.Sprintf("%T(%v)\n", v, v)
}

func TestMarshalAgreesWithFmtAndUnmarshalTakesItBack(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 30000 {
		a := randomArgs(r, randomKinds(r))
		want := header
		for _, v := range a.Values() {
			want += documentedLine(v)
		}
		file := Marshal(a)
		if string(file) != want {
			t.Fatalf("Marshal(%v) = %q, want %q", a, file, want)
		}
		back, err := Unmarshal(file)
		if err != nil || !back.Equal(a) {
			t.Fatalf("Unmarshal(%q) = %v, %v, want %v", file, back, err, a)
		}
	}
}

func TestMarshalIgnoresBitsBeyondTheWidth(t *testing.T) {
	for _, k := range allKinds() {
		wide := Value{Kind: k, Bits: 0xdeadbeef_deadbeef}
		if got, want := string(Marshal(Args{wide})), header+documentedLine(wide.Go()); got != want {
			t.Errorf("Marshal of a %v with bits everywhere = %q, want %q", k, got, want)
		}
	}
}

func TestMarshalPanicsOnAnInvalidKind(t *testing.T) {
	defer func() {
		if got, want := fmt.Sprint(recover()), "input: argument of Kind(0)"; got != want {
			t.Errorf("Marshal of the zero Value panics with %q, want %q", got, want)
		}
	}()
	Marshal(Args{{}})
}

// Which files are accepted is tested against `go test`; here is what the errors say.
func TestUnmarshalErrorsNameLineAndReason(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, tt := range []struct{ name, file, want string }{
		{"empty file", "", "the file is empty"},
		{"no newline after the version", textVersion, "the file ends before the first value"},
		{"newer version", "go test fuzz v2\nint(1)\n", `line 1: unknown version "go test fuzz v2", want "go test fuzz v1"`},
		{"binary file", "\x7fELF\n", `line 1: unknown version "\x7fELF", want "go test fuzz v1"`},
		{"second value bad", header + "int(1)\n\nint(x)\n", `line 4: malformed value "int(x)": "x" is not a value of int: an integer literal is needed`},
		{"too big", header + "int8(128)", `line 2: malformed value "int8(128)": "128" is not a value of int8: value out of range`},
		{"no call", header + "7", `line 2: malformed value "7": expected a name, found "7"`},
		{"unknown type", header + "complex64(1)", `line 2: malformed value "complex64(1)": complex64 is not a type that a fuzz target takes`},
		{"cut off", header + `string("a"`, `line 2: malformed value "string(\"a\"": expected ')', found the end of the line`},
		{"cut off in a string", header + `string("a`, `line 2: malformed value "string(\"a": string literal not terminated`},
		{"two values in one line", header + "int(1) int(2)", `line 2: malformed value "int(1) int(2)": unexpected "int" after the value`},
		{"sign before a name", header + "bool(-true)", `line 2: malformed value "bool(-true)": operator '-' before true`},
		{"plus before a number", header + "int(+1)", `line 2: malformed value "int(+1)": operator '+' before a literal`},
		{"wide character", header + "byte('ā')", `line 2: malformed value "byte('ā')": "'ā'" is not a value of byte: the character is more than one byte`},
		{"long line", header + long, `line 2: malformed value "` + long[:60] + `"…: expected '(', found the end of the line`},
	} {
		a, err := Unmarshal([]byte(tt.file))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: Unmarshal = %v, error %v\nwant error %s", tt.name, a, err, tt.want)
		}
	}
}

func TestCheckKindsSpeaksLikeGo(t *testing.T) {
	a := Args{{Kind: String}, {Kind: Int}}
	for _, tt := range []struct {
		name string
		want []Kind
		err  string
	}{
		{"same kinds", []Kind{String, Int}, "<nil>"},
		{"too few", []Kind{String}, "wrong number of values in corpus entry: 2, want 1"},
		{"too many", []Kind{String, Int, Int}, "wrong number of values in corpus entry: 2, want 3"},
		{"other kinds", []Kind{Bytes, Int8}, "mismatched types in corpus entry: [string int], want [[]uint8 int8]"},
		{"one other kind", []Kind{String, Int32}, "mismatched types in corpus entry: [string int], want [string int32]"},
	} {
		if err := CheckKinds(a, tt.want); fmt.Sprint(err) != tt.err {
			t.Errorf("%s: CheckKinds(%v, %v) = %v, want %s", tt.name, a.Kinds(), tt.want, err, tt.err)
		}
	}
}

func TestUnmarshalOfHostileFilesIsCheap(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"nesting", "int" + strings.Repeat("(", 1<<17)},
		{"operators", "int(" + strings.Repeat("-", 1<<17)},
		{"exponent", "float64(1e999999999)"},
		{"long number", "uint64(" + strings.Repeat("9", 1<<17) + ")"},
		{"newlines", strings.Repeat("\n", 1<<17)},
		{"open string", `string("` + strings.Repeat(`\x`, 1<<16)},
	} {
		file := []byte(header + tt.line)
		limit := 64*uint64(len(file)) + 1<<20
		if got := allocated(func() { Unmarshal(file) }); got > limit {
			t.Errorf("%s: Unmarshal of %d bytes allocates %d bytes, want at most %d", tt.name, len(file), got, limit)
		}
	}
}

// FuzzUnmarshal holds for any file: what is accepted is written in the one canonical way, which means the same.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	f.Add(Marshal(randomArgs(r, allKinds())))
	for _, line := range oddLines {
		f.Add([]byte(header + line))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := Unmarshal(file)
		if err != nil {
			return
		}
		again, err := Unmarshal(Marshal(a))
		if err != nil || !again.Equal(a) {
			t.Fatalf("Unmarshal(%q) = %v, written and read again %v, %v", file, a, again, err)
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, n := range []int{10, 1000, 100000} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i)
		}
		file := Marshal(Args{{Kind: Bytes, Data: data}, {Kind: Int, Bits: 7}})
		b.Run(fmt.Sprintf("bytes=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Unmarshal(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
