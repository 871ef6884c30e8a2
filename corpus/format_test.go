package corpus

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// kindsOfAll has each kind.
var kindsOfAll = func() (list []input.Kind) {
	for k := input.Bytes; k.Valid(); k++ {
		list = append(list, k)
	}
	return list
}()

// args makes arguments of Go values.
func args(t testing.TB, vals ...any) input.Args {
	t.Helper()
	a, err := input.FromValues(vals)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// codecOf returns the codec of a format.
func codecOf(t testing.TB, format string, kinds []input.Kind) Codec {
	t.Helper()
	f, err := FormatOf(format)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Codec(kinds)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFormatsReadWhatTheyWrite(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tuples := []input.Args{
		args(t, []byte(nil)), args(t, []byte("a")), args(t, ""), args(t, "text"),
		args(t, int8(-1), int16(-2), int32(-3), int64(-4), -5, uint8(255), uint16(65535), uint32(math.MaxUint32), uint64(math.MaxUint64), uint(7)),
		args(t, true, false, float32(1.5), -0.25, math.Inf(1)),
		args(t, []byte("ab"), 1, "c"), args(t, []byte{}, ""), args(t, "", []byte{}), args(t, []byte{}, []byte{}, uint8(1)), args(t, "x", []byte{}),
		args(t, []byte("one"), []byte("two"), "three", "four"),
	}
	for range 300 {
		a := make(input.Args, 1+r.IntN(4))
		for i := range a {
			a[i] = randomValue(r, kindsOfAll[r.IntN(len(kindsOfAll))])
		}
		tuples = append(tuples, a)
	}
	for _, f := range formats {
		fit, written := 0, 0
		for _, a := range tuples {
			c, err := f.Codec(a.Kinds())
			if err != nil {
				continue
			}
			fit++
			file, err := c.Marshal(a)
			if err != nil {
				if f.Name != "ossfuzz-v2" || !strings.Contains(err.Error(), "no weights") {
					t.Errorf("%s does not write %v: %v", f.Name, a.Values(), err)
				}
				continue
			}
			written++
			if got, err := c.Unmarshal(file); err != nil || !got.Equal(a) {
				t.Errorf("%s writes %v as %q, and reads %v (%v)", f.Name, a.Values(), file, got.Values(), err)
			}
		}
		if fit < 4 || written*10 < fit*9 {
			t.Errorf("%s: %d tuples fit, %d are written", f.Name, fit, written)
		}
	}
}

// randomValue returns a value of the kind.
func randomValue(r *rand.Rand, k input.Kind) input.Value {
	if k.IsBuffer() {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return input.Value{Kind: k, Data: b}
	}
	b := make([]byte, width(k))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	if k == input.Bool {
		b[0] &= 1
	}
	return number(k, b)
}

// What the wrappers of OSS-Fuzz make of bytes: go-118-fuzz-build with go-fuzz-headers, and the reader of its second version.
func TestFormatsAreThoseOfTheWrappersOfOSSFuzz(t *testing.T) {
	for _, tt := range []struct {
		name, format, file string
		want               input.Args // nil: the wrapper does not call the target
		vals               []any      // its kinds then
	}{
		{"bytes with their length", "ossfuzz-v1", "\x00\x00\x00\x02abc", args(t, []byte("ab")), nil},
		{"bytes to the end", "ossfuzz-v1", "\x00\x00\x00\x03abc", args(t, []byte("abc")), nil},
		{"a length beyond the end wraps around", "ossfuzz-v1", "\x00\x00\x00\x05abc", args(t, []byte("ab")), nil},
		{"a length of zero is 30", "ossfuzz-v1", "\x00\x00\x00\x00abcd", args(t, []byte("ab")), nil},
		{"no byte is left", "ossfuzz-v1", "\x00\x00\x00\x00", nil, []any{[]byte{}}},
		{"an empty file", "ossfuzz-v1", "", nil, []any{[]byte{}}},
		{"text with its length", "ossfuzz-v1", "\x00\x00\x00\x02abc", args(t, "ab"), nil},
		{"empty text before something", "ossfuzz-v1", "\x00\x00\x00\x00a", args(t, ""), nil},
		{"a length of text beyond the end", "ossfuzz-v1", "\x00\x00\x00\x05abc", nil, []any{""}},
		{"little-endian, as the order is even", "ossfuzz-v1", "\x01\x02\x00", args(t, uint16(0x0201)), nil},
		{"big-endian, as the order is odd", "ossfuzz-v1", "\x01\x02\x03", args(t, uint16(0x0102)), nil},
		{"no order for 32 bits", "ossfuzz-v1", "\x00\x00\x01\x02", args(t, uint32(0x0102)), nil},
		{"a rune", "ossfuzz-v1", "\xff\xff\xff\xfe", args(t, int32(-2)), nil},
		{"an int", "ossfuzz-v1", "\xff\xff\xff\xff\xff\xff\xff\xfe\x01", args(t, -2), nil},
		{"an int without its order", "ossfuzz-v1", "\xff\xff\xff\xff\xff\xff\xff\xfe", nil, []any{1}},
		{"a float", "ossfuzz-v1", "\x00\x00\xc0\x3f\x02", args(t, float32(1.5)), nil},
		{"even is true", "ossfuzz-v1", "\x02\x03", args(t, true, false), nil},
		{"several, and something behind them", "ossfuzz-v1", "\x00\x00\x00\x01a\x07\x00\x00\x00\x01brest", args(t, []byte("a"), uint8(7), "b"), nil},
		{"a weight before the only buffer", "ossfuzz-v2", "wabc", args(t, []byte("abc")), nil},
		{"nothing is zero", "ossfuzz-v2", "", args(t, "", 0, false), nil},
		{"numbers come first, and are padded", "ossfuzz-v2", "\x01\x02\x03", args(t, uint8(1), int16(0x0203), uint32(0)), nil},
		{"weights", "ossfuzz-v2", "\x07\x01\x03abcd", args(t, "a", uint8(7), []byte("bcd")), nil},
		{"a share is rounded down", "ossfuzz-v2", "\x01\x01abc", args(t, "a", "bc"), nil},
		{"no weight at all is equal shares", "ossfuzz-v2", "\x00\x00\x00abcdefg", args(t, "ab", "cd", "efg"), nil},
		{"the last bit of a bool", "ossfuzz-v2", "\x02\x03", args(t, false, true), nil},
	} {
		kinds := tt.want.Kinds()
		if tt.want == nil {
			kinds = args(t, tt.vals...).Kinds()
		}
		got, err := codecOf(t, tt.format, kinds).Unmarshal([]byte(tt.file))
		if (err == nil) != (tt.want != nil) || err == nil && !got.Equal(tt.want) {
			t.Errorf("%s: %s reads %q as %v (%v), want %v", tt.name, tt.format, tt.file, got.Values(), err, tt.want.Values())
		}
	}
}

func TestFormatsSayWhatDoesNotFit(t *testing.T) {
	long := strings.Repeat("x", ossFuzz1Text)
	for _, tt := range []struct {
		name, format string
		a            input.Args
		want         string
	}{
		{"a string far behind the beginning", "ossfuzz-v1", args(t, []byte(long), "a"), "argument 2: the string would begin behind the first 2000000 bytes"},
		{"lengths that no weights give", "ossfuzz-v2", args(t, []byte(strings.Repeat("x", 1000)), "a"), "no weights of one byte divide the buffers into the lengths [1000 1]"},
	} {
		if file, err := codecOf(t, tt.format, tt.a.Kinds()).Marshal(tt.a); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %d bytes are written (%v)", tt.name, len(file), err)
		}
	}
	for _, name := range []string{"libfuzzer", "afl", "go-fuzz"} {
		f, err := FormatOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kinds := range [][]input.Kind{{input.Int}, {input.Bytes, input.String}, {}} {
			if _, err := f.Codec(kinds); err == nil || !strings.Contains(err.Error(), "but the target takes "+KindsText(kinds)) {
				t.Errorf("%s for %s: %v", name, KindsText(kinds), err)
			}
		}
	}
	if _, err := FormatOf("jazzer"); err == nil || err.Error() != "want v1, libfuzzer, ossfuzz-v1, ossfuzz-v2, afl, go-fuzz" {
		t.Errorf("a format that does not exist: %v", err)
	}
}

func TestFormatsFindWeightsIfThereAreAny(t *testing.T) {
	for size := range 12 {
		reachable := map[int]bool{}
		for a := range maxWeight + 1 {
			for b := range maxWeight + 1 {
				reachable[shares([]byte{byte(a), byte(b)}, size)[0]] = true
			}
		}
		for n := range size + 1 {
			w, ok := weightsOf([]int{n, size - n})
			if ok != reachable[n] || ok && !slices.Equal(shares(w, size), []int{n, size - n}) {
				t.Errorf("%d of %d: weights %d (%v), but some exist: %v", n, size, w, ok, reachable[n])
			}
		}
	}
	for _, lengths := range [][]int{{300, 1, 300}, {5000, 5000}, {1, 400, 2}, {0, 0, 9}, {7, 0, 0}, {123, 456, 789, 12}} {
		total := 0
		for _, n := range lengths {
			total += n
		}
		if w, ok := weightsOf(lengths); ok && !slices.Equal(shares(w, total), lengths) {
			t.Errorf("the weights of %v are %v", lengths, w)
		}
	}
}

// kindsFrom makes kinds of bytes.
func kindsFrom(b []byte) []input.Kind {
	kinds := make([]input.Kind, min(len(b), 6))
	for i := range kinds {
		kinds[i] = kindsOfAll[int(b[i])%len(kindsOfAll)]
	}
	return kinds
}

// FuzzFormats holds the codecs to these laws: what is read can be written, and is then read as the same arguments; the written form is
// stable; and arguments do not share memory with the file.
func FuzzFormats(f *testing.F) {
	f.Add(uint8(2), []byte{0, 4, 1}, []byte("\x00\x00\x00\x01a\x00\x00\x00\x00\x00\x00\x00\x07\x01\x00\x00\x00\x01b"))
	f.Add(uint8(3), []byte{0, 1, 2}, []byte("\x00\x01\x03abcd"))
	f.Add(uint8(0), []byte{0}, []byte("go test fuzz v1\n[]byte(\"a\")\n"))
	f.Add(uint8(1), []byte{1}, []byte("raw"))
	f.Fuzz(func(t *testing.T, format uint8, kinds, file []byte) {
		c, err := formats[int(format)%len(formats)].Codec(kindsFrom(kinds))
		if err != nil {
			return
		}
		file = bytes.Clone(file) // a target must not change its arguments
		a, err := c.Unmarshal(file)
		if err != nil {
			return
		}
		if err := input.CheckKinds(a, kindsFrom(kinds)); err != nil {
			t.Fatal(err)
		}
		before := input.Append(nil, a)
		for i := range file {
			file[i] ^= 0xff
		}
		if !bytes.Equal(before, input.Append(nil, a)) {
			t.Fatal("the arguments share memory with the file")
		}
		written, err := c.Marshal(a)
		if err != nil {
			t.Fatalf("what is read cannot be written: %v", err)
		}
		b, err := c.Unmarshal(written)
		if err != nil || !b.Equal(a) {
			t.Fatalf("%v is written as %q, and read as %v (%v)", a.Values(), written, b.Values(), err)
		}
		if again, err := c.Marshal(b); err != nil || !bytes.Equal(again, written) {
			t.Fatalf("the written form is %q, and then %q (%v)", written, again, err)
		}
	})
}

// FuzzWeights holds the division of buffers to a simple law: lengths that some weights give are found.
func FuzzWeights(f *testing.F) {
	f.Add([]byte{1, 3}, uint16(4))
	f.Add([]byte{255, 0, 7, 9}, uint16(60000))
	f.Fuzz(func(t *testing.T, weights []byte, size uint16) {
		if len(weights) == 0 || len(weights) > 8 {
			return
		}
		lengths := shares(weights, int(size))
		found, ok := weightsOf(lengths)
		if !ok || !slices.Equal(shares(found, int(size)), lengths) {
			t.Fatalf("%v of %d are %v, for which there are %v (%v)", weights, size, lengths, found, ok)
		}
	})
}
