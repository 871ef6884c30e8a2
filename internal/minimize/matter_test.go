package minimize

import (
	"math"
	"reflect"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

func TestMatters(t *testing.T) {
	text := func(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }
	data := func(a input.Args) string { return string(a[0].Data) }
	for _, tt := range []struct {
		name  string
		args  input.Args
		check func(a input.Args) bool
		want  []Matter
	}{
		{"an empty text has no bytes", text(""), func(input.Args) bool { return true }, []Matter{{}}},
		{"no byte matters if the behavior does not depend on them", text("abc"), func(input.Args) bool { return true }, []Matter{{}}},
		{"neighbors are one range", text("xabyc"), func(a input.Args) bool { return data(a)[1:3] == "ab" && data(a)[4] == 'c' }, []Matter{{Bytes: [][2]int{{1, 3}, {4, 5}}}}},
		{
			"a byte matters if another one of its class is wrong", text("1x"),
			func(a input.Args) bool { return data(a)[0] == '1' || data(a)[0] < '0' || data(a)[0] > '9' },
			[]Matter{{Bytes: [][2]int{{0, 1}}}},
		},
		{
			"a byte matters if only one of another class is wrong", text("1x"),
			func(a input.Args) bool { return data(a)[0] >= '0' && data(a)[0] <= '9' },
			[]Matter{{Bytes: [][2]int{{0, 1}}}},
		},
		{
			"each argument has its own ranges, and a number matters as a whole",
			input.Args{{Kind: input.Bytes, Data: []byte("ab")}, {Kind: input.Int32, Bits: 7}, {Kind: input.Uint8, Bits: 200}},
			func(a input.Args) bool { return a[0].Data[1] == 'b' && a[1].Bits == 7 },
			[]Matter{{Bytes: [][2]int{{1, 2}}}, {Bytes: [][2]int{{0, 4}}}, {}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := tt.args.Clone()
			if got := Matters(tt.args, Options{Check: tt.check}); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Matters = %v, want %v", got, tt.want)
			}
			if !tt.args.Equal(before) {
				t.Errorf("the input has become %v", tt.args)
			}
		})
	}
}

func TestMattersKeepsItsLimits(t *testing.T) {
	a := input.Args{{Kind: input.String, Data: []byte("abcd")}, {Kind: input.Bool, Bits: 1}}
	checks := 0
	passesAt := func(n int) func(input.Args) bool {
		return func(input.Args) bool { checks++; return checks < n }
	}
	for _, tt := range []struct {
		name string
		o    Options
		want []Matter
	}{
		{"of checks", Options{MaxChecks: 6, Check: passesAt(99)}, []Matter{{Untested: [][2]int{{1, 4}}}, {Untested: [][2]int{{0, 1}}}}},
		{
			"of time, and an answer after it does not count",
			Options{Deadline: func() bool { return checks >= 5 }, Check: passesAt(5)},
			[]Matter{{Untested: [][2]int{{1, 4}}}, {Untested: [][2]int{{0, 1}}}},
		},
		{"and an answer before it counts", Options{MaxChecks: 5, Check: passesAt(5)}, []Matter{{Bytes: [][2]int{{1, 2}}, Untested: [][2]int{{2, 4}}}, {Untested: [][2]int{{0, 1}}}}},
	} {
		checks = 0
		if got := Matters(a, tt.o); !reflect.DeepEqual(got, tt.want) || checks > 6 {
			t.Errorf("%s: Matters = %v with %d checks, want %v", tt.name, got, checks, tt.want)
		}
	}
}

// A class with one byte only would leave nothing to replace it by.
func TestOtherBytesAreTwoOfTheClassAndTwoOfOthers(t *testing.T) {
	for c := range 256 {
		list := otherBytes(byte(c))
		same, distinct := 0, map[uint64]bool{uint64(c): true}
		for _, b := range list {
			distinct[b] = true
			if byteClass(byte(b)) == byteClass(byte(c)) {
				same++
			}
		}
		if len(list) != 4 || len(distinct) != 5 || same != 2 {
			t.Errorf("otherBytes(%#x) = %v, of which %d are of its class", c, list, same)
		}
	}
}

func TestOtherNumbersAreOfTheKind(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(n) }
	for _, tt := range []struct {
		kind input.Kind
		bits uint64
		want []uint64
	}{
		{input.Bool, 0, []uint64{1, 1}},
		{input.Bool, 1, []uint64{0, 0, 0}},
		{input.Uint8, 255, []uint64{254, 0, 0}},
		{input.Uint64, 5, []uint64{6, 4, 0, ^uint64(5)}},
		{input.Int8, 127, []uint64{126, 0, minus(-128)}},
		{input.Int8, minus(-128), []uint64{minus(-127), 0, 127}},
		{input.Int, 0, []uint64{1, minus(-1), minus(-1)}},
		{input.Float64, math.Float64bits(2), []uint64{math.Float64bits(3), math.Float64bits(1), 0, math.Float64bits(-2)}},
		{input.Float32, uint64(math.Float32bits(float32(math.Inf(1)))), []uint64{0, uint64(math.Float32bits(float32(math.Inf(-1))))}},
	} {
		if got := otherNumbers(&input.Value{Kind: tt.kind, Bits: tt.bits}); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("otherNumbers(%v %#x) = %#x, want %#x", tt.kind, tt.bits, got, tt.want)
		}
	}
}
