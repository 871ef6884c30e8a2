package migrate

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
)

// params makes parameters of a list such as "data []byte, n int". Types alone have no names.
func params(t *testing.T, list string) (params []regress.Parameter) {
	t.Helper()
	for part := range strings.SplitSeq(list, ", ") {
		f := strings.Fields(part)
		if len(f) == 0 {
			continue
		}
		p := regress.Parameter{}
		if len(f) == 2 {
			p.Name = f[0]
		}
		name := strings.Replace(f[len(f)-1], "[]byte", "[]uint8", 1)
		for k := input.Bytes; k.Valid(); k++ {
			if k.String() == name {
				p.Kind = k
			}
		}
		if !p.Kind.Valid() {
			t.Fatalf("no kind is %s", name)
		}
		params = append(params, p)
	}
	return params
}

func TestArgumentsAreMapped(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"nothing changed", "[]byte, int", "[]byte, int", "[0 1]"},
		{"an argument came at the end", "[]byte", "[]byte, int", "[0 -1]"},
		{"an argument came at the beginning", "[]byte", "int, []byte", "[-1 0]"},
		{"an argument came between two of the same type", "string, string", "string, int, string", "[0 -1 1]"},
		{"an argument of the same type came", "string", "string, string", "[0 -1]"},
		{"its name tells that it came first", "s string", "prefix string, s string", "[-1 0]"},
		{"an argument went", "[]byte, int, string", "[]byte, string", "[0 2]"},
		{"two changed places", "[]byte, int", "int, []byte", "[1 0]"},
		{"their names tell that two of the same type changed places", "a string, b string", "b string, a string", "[1 0]"},
		{"bytes became text", "[]byte", "string", "[0]"},
		{"a number became smaller", "[]byte, int", "[]byte, uint8", "[0 1]"},
		{"a number became text", "int", "string", "[-1]"},
		{"one of two of the same type changed", "a int, b int", "a int, b bool", "[0 1]"},
		{"a name of another type is no match", "x int, y []byte", "x []byte, y int", "[1 0]"},
		{"a new name and the same type is a new name only", "data []byte, n int", "input []byte, n int", "[0 1]"},
		{"no name is no match", "_ int, _ uint", "_ uint, _ int", "[1 0]"},
		{"nothing is left", "", "int", "[-1]"},
	} {
		m := Map(params(t, tt.from), params(t, tt.to))
		if got := fmt.Sprint(m.Of); got != tt.want {
			t.Errorf("%s: (%s) to (%s) is %s, want %s", tt.name, tt.from, tt.to, got, tt.want)
		}
	}
	if got := fmt.Sprint(Map(params(t, "int, string, bool"), params(t, "string")).Dropped()); got != "[0 2]" {
		t.Errorf("dropped are %s", got)
	}
}

func TestValuesAreConvertedOrDoNotFit(t *testing.T) {
	for _, tt := range []struct {
		name string
		from any
		to   string
		want any // nil: it does not fit
	}{
		{"bytes to text", []byte("a\xff"), "string", "a\xff"},
		{"text to bytes", "a", "[]byte", []byte("a")},
		{"a number that fits", 255, "uint8", uint8(255)},
		{"a number that is too large", 256, "uint8", nil},
		{"a negative number without a sign", -1, "uint64", nil},
		{"a negative number that fits", int64(-128), "int8", int8(-128)},
		{"a negative number that is too small", int64(-129), "int8", nil},
		{"a large number without a sign", uint64(math.MaxUint64), "int64", nil},
		{"the largest number with a sign", uint64(math.MaxInt64), "int64", int64(math.MaxInt64)},
		{"a bool", true, "int", 1},
		{"a number to bool", uint8(1), "bool", true},
		{"a larger number to bool", uint8(2), "bool", nil},
		{"a negative number to bool", -1, "bool", nil},
		{"a whole float", -3.0, "int8", int8(-3)},
		{"a part of a float", 0.5, "int", nil},
		{"no number", math.NaN(), "int", nil},
		{"infinity", math.Inf(1), "uint64", nil},
		{"a float without a sign", -1.0, "uint", nil},
		{"a number to float", int32(-7), "float32", float32(-7)},
		{"a number that a float does not have", 1<<24 + 1, "float32", nil},
		{"the largest number is no float", uint64(math.MaxUint64), "float64", nil},
		{"a float to the nearest one", 0.1, "float32", float32(0.1)},
		{"a longer float", float32(0.5), "float64", 0.5},
	} {
		old, err := input.FromValues([]any{tt.from})
		if err != nil {
			t.Fatal(err)
		}
		m := Map([]regress.Parameter{{Kind: old[0].Kind}}, params(t, tt.to))
		got, err := m.Args(old)
		if tt.want == nil {
			if err == nil || !strings.Contains(err.Error(), "is no value of "+tt.to) {
				t.Errorf("%s: %v (%v)", tt.name, got.Values(), err)
			}
			continue
		}
		want, _ := input.FromValues([]any{tt.want})
		if err != nil || !got.Equal(want) {
			t.Errorf("%s: %v (%v), want %v", tt.name, got.Values(), err, want.Values())
		}
	}
}
