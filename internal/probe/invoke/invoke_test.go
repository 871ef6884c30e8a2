package invoke

import (
	"math"
	"reflect"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// all is one value of each type that a target may take.
var all = []any{
	[]byte("bytes"), "string", true, int(-1), int8(-8), int16(-16), int32('x'), int64(math.MinInt64),
	uint(1), uint8(8), uint16(16), uint32(32), uint64(math.MaxUint64), float32(0.5), math.Inf(-1),
}

// target returns a func(*testing.T, types of vals…) that records its arguments in got.
func target(vals []any, got *[]any) reflect.Value {
	in := []reflect.Type{reflect.TypeFor[*testing.T]()}
	for _, v := range vals {
		in = append(in, reflect.TypeOf(v))
	}
	return reflect.MakeFunc(reflect.FuncOf(in, nil, false), func(args []reflect.Value) []reflect.Value {
		*got = nil
		for _, a := range args[1:] {
			*got = append(*got, a.Interface())
		}
		return nil
	})
}

func check(t *testing.T, vals ...any) {
	t.Helper()
	a, err := input.FromValues(vals)
	if err != nil {
		t.Fatal(err)
	}
	var got []any
	New(target(vals, &got), a.Kinds())(t, a)
	if !reflect.DeepEqual(got, vals) {
		t.Errorf("the target got %#v, want %#v", got, vals)
	}
}

func TestTargetGetsItsArguments(t *testing.T) {
	for _, v := range all {
		check(t, v)
		for _, w := range all {
			check(t, v, w)
			check(t, v, w, v)
		}
	}
}

// A corpus file keeps all bits of a NaN, so the target gets them too, also those of one that signals.
func TestTargetGetsAllBitsOfANaN(t *testing.T) {
	for _, want := range []uint32{0x7fc00000, 0x7f800001, 0xffbfffff} {
		v := input.Value{Kind: input.Float32, Bits: uint64(want)}
		for name, c := range map[string]struct {
			fn func(got *uint32) any
			a  input.Args
		}{
			"one argument":    {func(got *uint32) any { return func(_ *testing.T, f float32) { *got = math.Float32bits(f) } }, input.Args{v}},
			"three arguments": {func(got *uint32) any { return func(_ *testing.T, _, _, f float32) { *got = math.Float32bits(f) } }, input.Args{v, v, v}},
		} {
			var got uint32
			New(reflect.ValueOf(c.fn(&got)), c.a.Kinds())(t, c.a)
			if got != want {
				t.Errorf("%s: the target got the bits %#x, want %#x", name, got, want)
			}
		}
	}
}

func TestBytesHaveNoSpareCapacity(t *testing.T) {
	buf := make([]byte, 3, 100)
	fn := func(_ *testing.T, b []byte) {
		if cap(b) != len(b) {
			t.Errorf("cap = %d for %d bytes", cap(b), len(b))
		}
	}
	New(reflect.ValueOf(fn), []input.Kind{input.Bytes})(t, input.Args{{Kind: input.Bytes, Data: buf}})
}

func TestCallsDoNotAllocate(t *testing.T) {
	data := []byte("some bytes")
	for name, c := range map[string]struct {
		fn any
		a  input.Args
	}{
		"one byte slice": {func(*testing.T, []byte) {}, input.Args{{Kind: input.Bytes, Data: data}}},
		"three arguments": {
			func(*testing.T, []byte, int, bool) {},
			input.Args{{Kind: input.Bytes, Data: data}, {Kind: input.Int, Bits: 7}, {Kind: input.Bool, Bits: 1}},
		},
	} {
		call := New(reflect.ValueOf(c.fn), c.a.Kinds())
		if n := testing.AllocsPerRun(100, func() { call(t, c.a) }); n != 0 {
			t.Errorf("%s: %v allocations per call", name, n)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	t := &testing.T{}
	data := []byte("some bytes")
	b.Run("bytes", func(b *testing.B) {
		call := New(reflect.ValueOf(func(*testing.T, []byte) {}), []input.Kind{input.Bytes})
		a := input.Args{{Kind: input.Bytes, Data: data}}
		for b.Loop() {
			call(t, a)
		}
	})
	b.Run("bytes,int,string", func(b *testing.B) {
		call := New(reflect.ValueOf(func(*testing.T, []byte, int, string) {}), []input.Kind{input.Bytes, input.Int, input.String})
		a := input.Args{{Kind: input.Bytes, Data: data}, {Kind: input.Int, Bits: 7}, {Kind: input.String, Data: data}}
		for b.Loop() {
			call(t, a)
		}
	})
}
