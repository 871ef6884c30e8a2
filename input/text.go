package input

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The text form is the corpus file of Go's own fuzzing: a line with the version, then one line with a Go conversion for
// each argument. Such files are named by their hash and shared with `go test`, so [Marshal] must write the bytes that
// `go test` writes and [Unmarshal] must accept what it accepts. Both are held against it by TestTextAgreesWithGoTest.

// textVersion is the first line of every corpus file.
const textVersion = "go test fuzz v1"

// textQuoteLimit is how much of a bad line an error repeats: enough to find the place, and one line of a terminal.
const textQuoteLimit = 60

// errNoValues is returned for a corpus file that has no second line.
var errNoValues = errors.New("the file ends before the first value")

// Marshal returns the corpus file with the given arguments. It panics if an argument has an invalid Kind.
func Marshal(a Args) []byte {
	b := append(make([]byte, 0, 64+a.Size()), textVersion...)
	b = append(b, '\n')
	for _, v := range a {
		b = v.appendText(b)
		b = append(b, ')', '\n')
	}
	return b
}

// appendText appends the line of one argument without its closing parenthesis. Bits beyond the width of the kind do not
// count, as in [Value.Go].
func (v Value) appendText(b []byte) []byte {
	switch v.Kind {
	case Bytes:
		return strconv.AppendQuote(append(b, "[]byte("...), string(v.Data))
	case String:
		return strconv.AppendQuote(append(b, "string("...), string(v.Data))
	case Bool:
		return strconv.AppendBool(append(b, "bool("...), v.Bits&1 != 0)
	case Uint8:
		return strconv.AppendQuoteRune(append(b, "byte("...), rune(uint8(v.Bits)))
	case Int32:
		if r := rune(v.Bits); utf8.ValidRune(r) {
			return strconv.AppendQuoteRune(append(b, "rune("...), r)
		}
	case Float32:
		return appendFloat32(b, uint32(v.Bits))
	case Float64:
		return appendFloat64(b, v.Bits)
	}
	b = append(append(b, v.Kind.String()...), '(')
	switch v.Kind {
	case Int:
		return strconv.AppendInt(b, int64(int(v.Bits)), 10)
	case Int64:
		return strconv.AppendInt(b, int64(v.Bits), 10)
	case Int8:
		return strconv.AppendInt(b, int64(int8(v.Bits)), 10)
	case Int16:
		return strconv.AppendInt(b, int64(int16(v.Bits)), 10)
	case Int32:
		return strconv.AppendInt(b, int64(int32(v.Bits)), 10)
	case Uint:
		return strconv.AppendUint(b, uint64(uint(v.Bits)), 10)
	case Uint64:
		return strconv.AppendUint(b, v.Bits, 10)
	case Uint16:
		return strconv.AppendUint(b, uint64(uint16(v.Bits)), 10)
	case Uint32:
		return strconv.AppendUint(b, uint64(uint32(v.Bits)), 10)
	}
	panic(fmt.Sprintf("input: argument of %v", v.Kind))
}

// The one NaN that is written as NaN is that of package math; every other NaN is written by its bits, so that a failure
// that depends on them can be replayed.

func appendFloat32(b []byte, bits uint32) []byte {
	f := math.Float32frombits(bits)
	if f != f && bits != math.Float32bits(float32(math.NaN())) {
		return strconv.AppendUint(append(b, "math.Float32frombits(0x"...), uint64(bits), 16)
	}
	return strconv.AppendFloat(append(b, "float32("...), float64(f), 'g', -1, 32)
}

func appendFloat64(b []byte, bits uint64) []byte {
	f := math.Float64frombits(bits)
	if f != f && bits != math.Float64bits(math.NaN()) {
		return strconv.AppendUint(append(b, "math.Float64frombits(0x"...), bits, 16)
	}
	return strconv.AppendFloat(append(b, "float64("...), f, 'g', -1, 64)
}

// Unmarshal returns the arguments in a corpus file. A file with a version and no values is an empty tuple. The error
// names the line that is malformed and what is wrong with it.
func Unmarshal(file []byte) (Args, error) {
	if len(file) == 0 {
		return nil, errors.New("the file is empty")
	}
	first, rest, found := bytes.Cut(file, []byte{'\n'})
	if !found {
		return nil, errNoValues
	}
	if version := bytes.TrimSuffix(first, []byte{'\r'}); string(version) != textVersion {
		return nil, fmt.Errorf("line 1: unknown version %s, want %q", quoteStart(version), textVersion)
	}
	a := Args{}
	for number := 2; found; number++ {
		var line []byte
		line, rest, found = bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		v, err := parseValue(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: malformed value %s: %w", number, quoteStart(line), err)
		}
		a = append(a, v)
	}
	return a, nil
}

// quoteStart quotes the start of a line for an error.
func quoteStart(line []byte) string {
	if len(line) <= textQuoteLimit {
		return strconv.Quote(string(line))
	}
	return strconv.Quote(strings.ToValidUTF8(string(line[:textQuoteLimit]), "")) + "…"
}

// CheckKinds returns an error if the arguments are not of the kinds that a target takes. Its wording is that of Go's own
// fuzzing, for scripts that search for it.
func CheckKinds(a Args, want []Kind) error {
	if len(a) != len(want) {
		return fmt.Errorf("wrong number of values in corpus entry: %d, want %d", len(a), len(want))
	}
	for i, k := range want {
		if a[i].Kind != k {
			return fmt.Errorf("mismatched types in corpus entry: %v, want %v", a.Kinds(), want)
		}
	}
	return nil
}
