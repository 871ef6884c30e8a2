package minimize

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/input"
)

func args(t testing.TB, vals ...any) input.Args {
	t.Helper()
	a, err := input.FromValues(vals)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// watch wraps a check so that the laws of Minimize are tested with every candidate: the size never grows, no candidate
// comes twice.
func watch(t testing.TB, a input.Args, check func(input.Args) bool) func(input.Args) bool {
	seen := map[string]bool{}
	size := a.Size()
	return func(c input.Args) bool {
		key := string(input.Append(nil, c))
		if seen[key] {
			t.Errorf("candidate %v is checked twice", c)
		}
		seen[key] = true
		if c.Size() > size {
			t.Errorf("candidate %v has size %d, the best one so far has %d", c, c.Size(), size)
		}
		if !slices.Equal(c.Kinds(), a.Kinds()) {
			t.Errorf("candidate %v has other kinds than %v", c, a)
		}
		if !check(c) {
			return false
		}
		size = c.Size()
		return true
	}
}

// minimize runs Minimize under watch and tests that the result is a or was accepted.
func minimize(t testing.TB, a input.Args, check func(input.Args) bool, o Options) (input.Args, Stats) {
	t.Helper()
	before := a.Clone()
	accepted := a.Clone()
	o.Check = watch(t, a, func(c input.Args) bool {
		if !check(c) {
			return false
		}
		accepted = c.Clone()
		return true
	})
	best, stats := Minimize(a, o)
	if !best.Equal(accepted) {
		t.Errorf("Minimize = %v, the last accepted candidate is %v", best, accepted)
	}
	if !a.Equal(before) {
		t.Errorf("Minimize has changed its argument to %v", a)
	}
	return best, stats
}

// random returns n bytes that have nothing in common with what the tests look for.
func random(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func text(n int) []byte {
	const line = "func (r *reader) next(n int) error { return r.skip(n, \"a string\", 12345) } // é\n"
	return []byte(strings.Repeat(line, n/len(line)+1)[:n])
}

// exactRow says what a lone buffer comes to, in how many checks.
type exactRow struct {
	name   string // reads as a sentence
	in     []byte
	check  func(d []byte) bool
	want   string
	checks int
}

var jsonCommand = regexp.MustCompile(`"cmd":"die"`)

var exactRows = []exactRow{
	{"anything will do", random(1000), func([]byte) bool { return true }, "", 1},
	{"anything but nothing", random(1000), func(d []byte) bool { return len(d) > 0 }, "0", 10},
	{"a length", random(35000), func(d []byte) bool { return len(d) > 10000 }, strings.Repeat("0", 10001), 100},
	{"a length of text", text(35000), func(d []byte) bool { return len(d) > 10000 }, strings.Repeat("0", 10001), 100},
	{"a length and a first byte", []byte("x" + string(random(35000))), func(d []byte) bool {
		return len(d) > 10000 && d[0] == 'x'
	}, "x" + strings.Repeat("0", 10000), 500},
	{"a length of text and a last byte", []byte(string(text(35000)) + "x"), func(d []byte) bool {
		return len(d) > 10000 && d[len(d)-1] == 'x'
	}, strings.Repeat("0", 10000) + "x", 1000},
	{"a length and something that is not zero", random(100), func(d []byte) bool {
		return len(d) >= 50 && bytes.Count(d, []byte{0}) < len(d)
	}, strings.Repeat("0", 50), 100},
	{"all zero bytes stay", make([]byte, 100), func(d []byte) bool {
		return len(d) >= 20 && bytes.Count(d, []byte{0}) == len(d)
	}, strings.Repeat("\x00", 20), 300},
	{"one byte of many", append(random(5000), "\x01\x02MAGIC\x03\x04"...), func(d []byte) bool {
		return bytes.Contains(d, []byte("MAGIC"))
	}, "MAGIC", 200},
	{"two bytes at any distance", append(random(2000), "Q12345Z"...), func(d []byte) bool {
		i := bytes.IndexByte(d, 'Q')
		return i >= 0 && bytes.IndexByte(d[i:], 'Z') > 0
	}, "QZ", 300},
	{"two bytes at a fixed distance", append(append(random(700), "Q123456789Z"...), random(700)...), func(d []byte) bool {
		for i := range max(len(d)-10, 0) {
			if d[i] == 'Q' && d[i+10] == 'Z' {
				return true
			}
		}
		return false
	}, "Q000000000Z", 500},
	{"a prefix and a suffix", []byte("HEAD" + string(random(3000)) + "TAIL"), func(d []byte) bool {
		return bytes.HasPrefix(d, []byte("HEAD")) && bytes.HasSuffix(d, []byte("TAIL"))
	}, "HEADTAIL", 500},
	{"bytes all over the place", scatter(4000, "abcdefgh"), func(d []byte) bool {
		return subsequence(d, "abcdefgh")
	}, "abcdefgh", 2500},
	{"nested brackets", []byte("x = (a+(b*(c-(d/(e)))))+f[g]"), func(d []byte) bool {
		return depth(d) >= 3
	}, "((()))", 400},
	{"brackets far too deep", []byte(strings.Repeat("(a", 3000) + strings.Repeat(")", 3000)), func(d []byte) bool {
		return depth(d) >= 40
	}, strings.Repeat("(", 40) + strings.Repeat(")", 40), 3000},
	{"a JSON member", []byte(`{"id":7,"list":[1,2,{"x":"y"}],"inner":{"cmd":"die","level":3},"z":null}`), func(d []byte) bool {
		return json.Valid(d) && jsonCommand.Match(d)
	}, `{"cmd":"die"}`, 600},
	{"a value of a query", []byte("a=1&b=22&cmd=die&c=&d=4"), func(d []byte) bool {
		return slices.Contains(strings.Split(string(d), "&"), "cmd=die")
	}, "cmd=die", 100},
	{"a list of calls", []byte("f(a, g(b), h(c, 'd'), boom(1), i(j(k)))"), func(d []byte) bool {
		return bytes.Contains(d, []byte("boom(")) && depth(d) > 0
	}, "boom()", 300},
	{"bytes that must change to go", []byte("x+yw"), func(d []byte) bool {
		return string(d) == "x0w"
	}, "x0w", 100},
	{"one line of many", []byte(strings.Repeat("some line\n", 500) + "panic here\n" + strings.Repeat("more\n", 500)), func(d []byte) bool {
		return slices.Contains(strings.Split(string(d), "\n"), "panic here")
	}, "panic here", 300},
	{"a number in text", []byte("width=987654;"), func(d []byte) bool {
		m := regexp.MustCompile(`=(\d+)`).FindSubmatch(d)
		if m == nil {
			return false
		}
		n, err := strconv.Atoi(string(m[1]))
		return err == nil && n > 1000
	}, "=1001", 200},
	{"letters", []byte("The quick brown fox"), func(d []byte) bool {
		return countLetters(d) >= 5
	}, "aaaaa", 300},
	{"a capital", []byte("hello World"), func(d []byte) bool {
		return bytes.ContainsAny(d, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}, "W", 100},
	{"a count of runes", []byte("世界世界世界世界"), func(d []byte) bool {
		return utf8.Valid(d) && utf8.RuneCount(d) >= 4
	}, "0000", 100},
	{"not ASCII", []byte("plain text and 世界 in it"), func(d []byte) bool {
		return utf8.Valid(d) && utf8.RuneCount(d) < len(d)
	}, "界", 400},
}

func scatter(n int, s string) []byte {
	b := bytes.Repeat([]byte{'.', 1}, n/2)
	for i := range len(s) {
		b[(2*i+1)*n/(2*len(s))] = s[i]
	}
	return b
}

func subsequence(d []byte, s string) bool {
	for _, c := range d {
		if s != "" && c == s[0] {
			s = s[1:]
		}
	}
	return s == ""
}

// depth returns how deep balanced parentheses nest, and 0 if they are not balanced.
func depth(d []byte) (deepest int) {
	n := 0
	for _, c := range d {
		switch c {
		case '(':
			n++
		case ')':
			if n--; n < 0 {
				return 0
			}
		}
		deepest = max(deepest, n)
	}
	if n != 0 {
		return 0
	}
	return deepest
}

func countLetters(d []byte) (n int) {
	for _, c := range d {
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			n++
		}
	}
	return n
}

func TestLoneBufferComesToExactly(t *testing.T) {
	for _, r := range exactRows {
		for _, k := range []input.Kind{input.Bytes, input.String} {
			t.Run(r.name+"/"+k.String(), func(t *testing.T) {
				a := input.Args{{Kind: k, Data: r.in}}
				best, stats := minimize(t, a, func(c input.Args) bool { return r.check(c[0].Data) }, Options{})
				if string(best[0].Data) != r.want {
					t.Errorf("Minimize(%.60q) = %.60q (%d bytes), want %.60q (%d bytes)",
						r.in, best[0].Data, len(best[0].Data), r.want, len(r.want))
				}
				if stats.Checks > r.checks {
					t.Errorf("Minimize(%.60q) took %d checks, want at most %d: %+v", r.in, stats.Checks, r.checks, stats)
				}
			})
		}
	}
}

func TestLoneNumberComesToExactly(t *testing.T) {
	tests := []struct {
		name  string
		in    any
		check func(v any) bool
		want  any
	}{
		{"no condition", int64(-77), func(any) bool { return true }, int64(0)},
		{"above a limit", int64(1 << 60), func(v any) bool { return v.(int64) > 1000 }, int64(1001)},
		{"below a limit", int64(math.MinInt64), func(v any) bool { return v.(int64) < -1000 }, int64(-1001)},
		{"either sign", int32(-5000), func(v any) bool { n := v.(int32); return n*n > 100 }, int32(11)},
		{"negative only", int8(-128), func(v any) bool { return v.(int8) < 0 }, int8(-1)},
		{"a bit", uint32(0xdeadbeef), func(v any) bool { return v.(uint32)&(1<<19) != 0 }, uint32(1 << 19)},
		{"a remainder above a limit", int(12347), func(v any) bool { n := v.(int); return n > 100 && n%10 == 7 }, int(107)},
		{"exactly this", uint64(0x1234567890), func(v any) bool { return v.(uint64) == 0x1234567890 }, uint64(0x1234567890)},
		{"true stays", true, func(v any) bool { return v.(bool) }, true},
		{"true goes", true, func(any) bool { return true }, false},
		{"a float above a limit", 123456.789, func(v any) bool { return v.(float64) > 1000 }, 1001.0},
		{"a float with a fraction", 3.14159265, func(v any) bool { f := v.(float64); return f != math.Trunc(f) }, 3.1},
		{"a negative float", float32(-7.75), func(v any) bool { return v.(float32) < 0 }, float32(-1)},
		{"a huge float", 1.2345678e300, func(v any) bool { return v.(float64) > 1e200 }, 1e201},
		{"a tiny float", 1.2345678e-300, func(v any) bool { f := v.(float64); return f > 0 && f < 1e-100 }, 1e-101},
		{"a huge float with digits", 1.5e300, func(v any) bool { f := v.(float64); return f > 1e200 && f != 1e201 }, 2e200},
		{"infinity", math.Inf(-1), func(v any) bool { return math.IsInf(v.(float64), 0) }, math.Inf(1)},
		{"minus zero goes", math.Copysign(0, -1), func(any) bool { return true }, 0.0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			best, stats := minimize(t, args(t, tt.in), func(c input.Args) bool { return tt.check(c[0].Go()) }, Options{})
			if !best.Equal(args(t, tt.want)) {
				t.Errorf("Minimize(%v) = %v, want %v", tt.in, best[0].Go(), tt.want)
			}
			if stats.Checks > 300 {
				t.Errorf("Minimize(%v) took %d checks, want at most 300", tt.in, stats.Checks)
			}
		})
	}
}

func TestNaNStaysNaN(t *testing.T) {
	a := input.Args{{Kind: input.Float64, Bits: 0xfff8000000000123}}
	isNaN := func(c input.Args) bool { f := c[0].Go().(float64); return f != f }
	if best, _ := minimize(t, a, isNaN, Options{}); best[0].Bits != math.Float64bits(math.NaN()) {
		t.Errorf("Minimize(NaN) = %#x, want %#x", best[0].Bits, math.Float64bits(math.NaN()))
	}
}

func TestEachOfSeveralArgumentsIsMinimized(t *testing.T) {
	a := args(t, []byte("some bytes"), "a key", 4711, true, 2.5, uint8(200))
	best, _ := minimize(t, a, func(c input.Args) bool {
		return strings.Contains(string(c[1].Data), "key") && int64(c[2].Bits) > 100
	}, Options{})
	want := args(t, []byte{}, "key", 101, false, 0.0, uint8(0))
	if !best.Equal(want) {
		t.Errorf("Minimize(%v) = %v, want %v", a.Values(), best.Values(), want.Values())
	}
}

func TestArgumentsThatDependOnEachOther(t *testing.T) {
	a := args(t, "a longer string", 10)
	best, _ := minimize(t, a, func(c input.Args) bool { return int(c[1].Bits) < len(c[0].Data) }, Options{})
	if want := args(t, "0", 0); !best.Equal(want) {
		t.Errorf("Minimize(%v) = %v, want %v", a.Values(), best.Values(), want.Values())
	}
}

func TestEmptyInputsAreMinimal(t *testing.T) {
	for _, a := range []input.Args{{}, args(t, ""), args(t, []byte{}, "", 0)} {
		best, stats := minimize(t, a, func(input.Args) bool { return true }, Options{})
		if !best.Equal(a) || stats.Checks != 0 {
			t.Errorf("Minimize(%v) = %v in %d checks, want it as it is in none", a, best, stats.Checks)
		}
	}
}
