package input

import (
	"math/rand/v2"
	"strings"
)

// oddLines are lines of corpus files that a reader may get wrong, in both directions.
var oddLines = []string{
	// Spelling and spaces.
	"int(1)", " int(1)\t", "int(1)\r", "int ( 1 )", "int(1,)", "int(1...)", "int(1...,)", "int(1,,)", "int(,1)", "int(1,...)",
	"int(1) // one", "int(1 // one", "int /* a */ (/* b */1)", "/**/int(1)", "int(1) /* open", "// int(1)", "int(1);", "int(1);;",
	"\ufeffint(1)", "int(\ufeff1)", "\u00a0int(1)\u00a0", "int(\u00a01)", "\u2028int(1)", "int(1)\x00", "int\x00(1)", "int(1)\v\f",
	"\x85int(1)", "int(1)\xff", "//line x:0", "int(1) //line x:0", "/*line x:0:0*/int(1)", "int(1)\rint(2)",
	// Calls.
	"int", "int()", "int(1, 2)", "int(1)(2)", "(int)(1)", "int((1))", "int(int(1))", "int(1) int(2)", "int(1)+1", "int{1}", "int(1",
	"int 1", "1", "", "func(1)", "go test fuzz v1", "x.int(1)", "int[int](1)", "*int(1)", "-int(1)", "<-int(1)", "_(1)", "INT(1)",
	// Integers.
	"int(-1)", "int(- 1)", "int(--1)", "int(+1)", "int(^1)", "int(!1)", "int(&1)", "int(~1)", "int(*1)", "int(<-1)", "int(0x1F)",
	"int(-0X1f)", "int(0b101)", "int(0o17)", "int(017)", "int(08)", "int(09.)", "int(1_000)", "int(0_7)", "int(1__0)", "int(1_)",
	"int(0x_1)", "int(0x)", "int(1e3)", "int(1.0)", "int(1i)", "int('a')", `int("1")`, "int(true)", "int(NaN)", "int(Inf)", "int(-Inf)",
	"int(9223372036854775807)", "int(-9223372036854775808)", "int(9223372036854775808)", "int8(127)", "int8(128)", "int8(-128)",
	"int8(-129)", "int16(-32768)", "int16(32768)", "int32(2147483647)", "int32(2147483648)", "int64(-9223372036854775809)",
	"uint(18446744073709551615)", "uint(18446744073709551616)", "uint(-0)", "uint(-1)", "uint8(255)", "uint8(256)", "uint8('a')",
	"uint8(0xff)", "uint32(0xffff_ffff)", "uint32(4294967296)", "uint64(0xffffffffffffffff)", "uintptr(1)", "int128(1)",
	// Characters.
	"byte('a')", "byte('\\'')", "byte('\\xff')", "byte('\\377')", "byte('\\400')", "byte('ÿ')", "byte('Ā')", "byte('')", "byte(''')",
	"byte('ab')", "byte('\\\"')", "byte('\"')", "byte(97)", "byte(-1)", "byte(256)", "byte(0x61)", `byte("a")`, "byte(-'a')", "byte(a)",
	"byte('\\u0041')", "byte('\\ud800')", "byte('\xff')", "byte(1.0)", "rune('a')", "rune('\\U0010ffff')", "rune('\\U00110000')",
	"rune('\\xff')", "rune(-5)", "rune(0x110000)", "rune(2147483648)", "rune(-2147483648)", "rune('\ufffd')", "rune(`a`)", "rune(+'a')",
	"rune('\\n')", "rune('\n')", "int32('a')", "int32(-1)", "int32(55296)", "rune(55296)",
	// Buffers.
	`string("")`, "string(``)", "string(`a\\n`)", "string(`a\rb`)", `string("\x00\377\u00e9\U0001F600\a\b\f\n\r\t\v\\\"")`, `string("\'")`,
	`string("\q")`, `string("\x0")`, `string("\ud800")`, `string("a)`, "string(`a)", "string(\"\xff\")", "string(\"\x00\")", "string('a')",
	`string("a" "b")`, `string("a"+"b")`, `string(-"a")`, `string(a)`, "string(1)", "string(NaN)", `string([]byte("a"))`,
	"string(\"\ufeff\")", `String("a")`, `[]byte("a")`, "[]byte(`a`)", `[]byte("\xff")`, `[]byte('a')`, `[]byte(1)`, `[]byte(nil)`,
	`[]byte(-"a")`, `[]uint8("a")`, `[1]byte("a")`, `[...]byte("a")`, `[ ] byte ("a",)`, `[]byte{1}`, `[](byte)("a")`, `[][]byte("a")`,
	`[]*byte("a")`, `[]byte.x("a")`, `([]byte)("a")`, `[]byte("a"...)`, `[byte]("a")`, `[]("a")`, `[]string("a")`, `[]math.byte("a")`,
	`[]byte[int]("a")`, `map[byte]byte("a")`, `[]byte`, `[]byte()`, `[]byte("a", "b")`,
	// Booleans.
	"bool(true)", "bool(false)", "bool(True)", "bool(1)", "bool(!true)", "bool((true))", `bool("true")`, "bool(nil)", "bool(NaN)", "bool(-Inf)",
	// Floats.
	"float64(1)", "float64(-1)", "float64(+1)", "float64(1.)", "float64(.5)", "float64(-.5)", "float64(1e400)", "float64(-1e400)",
	"float64(1e-400)", "float64(0x1p-2)", "float64(0x10)", "float64(0b1)", "float64(010)", "float64(0o7)", "float64(1_0)", "float64(1_0.5)",
	"float64(0x_1p0)", "float64(0x1.8)", "float64(1e)", "float64(NaN)", "float64(-NaN)", "float64(+NaN)", "float64(nan)", "float64(Inf)",
	"float64(+Inf)", "float64(-Inf)", "float64(- Inf)", "float64(^Inf)", "float64(!Inf)", "float64(&Inf)", "float64(~Inf)", "float64(*Inf)",
	"float64(<-Inf)", "float64(--Inf)", "float64(-inf)", "float64(+Infinity)", "float64('a')", `float64("1")`, "float64(1i)", "float64(-0)",
	"float64(-0.0)", "float64(5e-324)", "float64(08)", "float64(08.5)", "float32(1e39)", "float32(3.4028235e38)", "float32(-Inf)",
	"float32(NaN)", "float32(0.1)", "float32(1e-50)", "float32(+Inf)", "float32(16777217)", "float32(true)", "float(1)",
	"math.Float64frombits(0x7ff8000000000002)", "math.Float64frombits(1)", "math.Float64frombits(1.0)", "math.Float64frombits(1e3)",
	"math.Float64frombits(NaN)", "math.Float64frombits(-1)", "math.Float64frombits(+Inf)", "math.Float64frombits('a')",
	"math.Float64frombits(18446744073709551616)", "math . Float64frombits ( 1_0 )", "math.Float32frombits(0x7fc00002)",
	"math.Float32frombits(4294967295)", "math.Float32frombits(4294967296)", "math.Float32frombits(1.0)", "math.Float32frombits(-0)",
	"math.Float32frombits(NaN)", "math.Inf(1)", "math.NaN()", "math.Float16frombits(1)", "Math.Float64frombits(1)",
	"math.math.Float64frombits(1)", "math.float64(1)", "float64frombits(1)", "math.int(1)", "complex128(1)", "error(nil)",
	"float64-bits(1)", "float32-bits(1)", "math.(Float64frombits)(1)", "(math).Float64frombits(1)", "math.(1)",
}

// oddFiles are corpus files whose lines are not what is odd about them.
var oddFiles = []string{
	"", "\n", " ", textVersion, header, header + "\n\n", textVersion + "\r\nint(1)\r\n", textVersion + "\r\r\nint(1)\n", textVersion + "\r",
	textVersion + " \nint(1)\n", " " + header + "int(1)\n", "\ufeff" + header + "int(1)\n", "\n" + header + "int(1)\n", header + header,
	"go test fuzz v2\nint(1)\n", "go test fuzz v10\nint(1)\n", "int(1)\n", "Go test fuzz v1\nint(1)\n", header + "\n \n\t\nint(1)\n\n\nint(2)",
	header + "int(1)\nint(2)\nstring(\"a\")\n", header + "int(1)\nbad\nint(2)\n", header + "string(`a\nb`)\n", header + "int(\n1)\n",
	header + "int(1)\x00\n", textVersion + "\x00\nint(1)\n", "\xff\xfe", header + "bool(true)\n[]byte(\"\")\nrune('a')\nfloat32(NaN)\n",
}

// oddTokens are what randomLine strings together.
var oddTokens = strings.Fields(`int int8 int32 int64 uint uint8 uint64 byte rune string bool float32 float64 [ ] ( ( ) ) [] []byte
	math . Float64frombits Float32frombits math.Float64frombits math.Float32frombits 0 1 -1 300 0x7f 1_0 08 1.5 .5 1e3 0x1p1 1i - + ^ ! <- ~
	& * Inf NaN true false 'a' '\xff' 'é' '' "a" "\xff" "" "\q" , ... ; // /**/ { } nil x`)

// randomLine returns a line that is often well formed and often nearly so.
func randomLine(r *rand.Rand) string {
	var parts []string
	switch r.IntN(3) {
	case 0: // a type, an operator sometimes, an operand
		parts = []string{oddTokens[r.IntN(13)], "("}
		if r.IntN(3) == 0 {
			parts = append(parts, oddTokens[len(oddTokens)-1-r.IntN(30)])
		}
		parts = append(parts, oddTokens[r.IntN(len(oddTokens))], ")")
	case 1:
		for range 1 + r.IntN(6) {
			parts = append(parts, oddTokens[r.IntN(len(oddTokens))])
		}
	default: // a line of the table with one byte changed, dropped or doubled
		b := []byte(oddLines[r.IntN(len(oddLines))] + " ")
		i := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b[i] = oddBytes[r.IntN(len(oddBytes))]
		case 1:
			b = append(b[:i], b[i+1:]...)
		default:
			b = append(b[:i+1], b[i:]...)
		}
		return string(b)
	}
	return strings.Join(parts, []string{"", " "}[r.IntN(2)])
}

const oddBytes = "\x00\r\n \"'`\\()[]{}-+.,;/*0189_xXeEpiaN\x85\xc3\xff"
