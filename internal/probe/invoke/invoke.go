// Package invoke calls a fuzz target with an argument tuple.
//
// Targets with one argument, or with two of the usual types, are called directly. Others go through package reflect
// with prepared values, which costs about 200 ns more and allocates nothing either. Byte slices
// point to the caller's buffer, with a capacity that equals their length. Strings are copied for each
// call, because targets may keep them.
package invoke

import (
	"math"
	"reflect"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Func calls the target once with arguments of the kinds that it was made for. It is not safe for concurrent use.
type Func func(t *testing.T, a input.Args)

// New returns a Func for the target fn, a func(*testing.T, …) whose other parameters have the given kinds.
func New(fn reflect.Value, kinds []input.Kind) Func {
	switch len(kinds) {
	case 1:
		if f := direct1(fn.Interface()); f != nil {
			return f
		}
	case 2:
		if f := direct2(fn.Interface()); f != nil {
			return f
		}
	}
	return reflected(fn, kinds)
}

// reflected prepares one addressable value per argument, which is set before each call.
func reflected(fn reflect.Value, kinds []input.Kind) Func {
	args := make([]reflect.Value, len(kinds)+1)
	for i, k := range kinds {
		args[i+1] = reflect.New(k.Type()).Elem()
	}
	var last *testing.T
	return func(t *testing.T, a input.Args) {
		if t != last {
			args[0], last = reflect.ValueOf(t), t
		}
		for i := range a {
			set(args[i+1], &a[i])
		}
		fn.Call(args)
	}
}

func set(dst reflect.Value, v *input.Value) {
	switch v.Kind {
	case input.Bytes:
		dst.SetBytes(bytesOf(v))
	case input.String:
		dst.SetString(string(v.Data))
	case input.Bool:
		dst.SetBool(v.Bits&1 != 0)
	case input.Int, input.Int8, input.Int16, input.Int32, input.Int64:
		dst.SetInt(int64(v.Bits))
	case input.Float32:
		// SetFloat takes a float64, and to convert a signalling NaN makes it a quiet one.
		*dst.Addr().Interface().(*float32) = math.Float32frombits(uint32(v.Bits))
	case input.Float64:
		dst.SetFloat(math.Float64frombits(v.Bits))
	default:
		dst.SetUint(v.Bits)
	}
}

func bytesOf(v *input.Value) []byte {
	if v.Data == nil {
		return []byte{}
	}
	return v.Data[:len(v.Data):len(v.Data)]
}

// argument types that a Value converts to without reflection.
type argument interface {
	[]byte | string | bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// get converts a Value to T. The switch is on the type of a nil pointer, so it is decided per instance.
func get[T argument](v *input.Value) (x T) {
	switch p := any(&x).(type) {
	case *[]byte:
		*p = bytesOf(v)
	case *string:
		*p = string(v.Data)
	case *bool:
		*p = v.Bits&1 != 0
	case *int:
		*p = int(v.Bits)
	case *int8:
		*p = int8(v.Bits)
	case *int16:
		*p = int16(v.Bits)
	case *int32:
		*p = int32(v.Bits)
	case *int64:
		*p = int64(v.Bits)
	case *uint:
		*p = uint(v.Bits)
	case *uint8:
		*p = uint8(v.Bits)
	case *uint16:
		*p = uint16(v.Bits)
	case *uint32:
		*p = uint32(v.Bits)
	case *uint64:
		*p = v.Bits
	case *float32:
		*p = math.Float32frombits(uint32(v.Bits))
	case *float64:
		*p = math.Float64frombits(v.Bits)
	}
	return x
}

func direct1(fn any) Func {
	for _, try := range [...]func(any) Func{
		call1[[]byte], call1[string], call1[bool], call1[int], call1[int8], call1[int16], call1[int32], call1[int64],
		call1[uint], call1[uint8], call1[uint16], call1[uint32], call1[uint64], call1[float32], call1[float64],
	} {
		if f := try(fn); f != nil {
			return f
		}
	}
	return nil
}

func call1[A argument](fn any) Func {
	f, ok := fn.(func(*testing.T, A))
	if !ok {
		return nil
	}
	return func(t *testing.T, a input.Args) { f(t, get[A](&a[0])) }
}

// direct2 knows the pairs with a buffer in them and the pairs of equal types: nearly all targets with two arguments.
func direct2(fn any) Func {
	for _, try := range [...]func(any) Func{
		with[[]byte], with[string], with[bool], with[int], with[int8], with[int16], with[int32], with[int64],
		with[uint], with[uint8], with[uint16], with[uint32], with[uint64], with[float32], with[float64],
	} {
		if f := try(fn); f != nil {
			return f
		}
	}
	return nil
}

func with[A argument](fn any) Func {
	for _, try := range [...]func(any) Func{
		call2[A, []byte], call2[A, string], call2[[]byte, A], call2[string, A], call2[A, A],
	} {
		if f := try(fn); f != nil {
			return f
		}
	}
	return nil
}

func call2[A, B argument](fn any) Func {
	f, ok := fn.(func(*testing.T, A, B))
	if !ok {
		return nil
	}
	return func(t *testing.T, a input.Args) { f(t, get[A](&a[0]), get[B](&a[1])) }
}
