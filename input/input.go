// Package input holds the arguments of one execution of a fuzz target.
//
// An [Args] is a plain value: a list of arguments, each tagged with its [Kind]. The package knows how to turn it into
// Go values and back, how to write it as a `go test fuzz v1` corpus file ([Marshal], [Unmarshal]) and how to pack it
// into bytes for a pipe or for shared memory ([Append], [Decode]). It knows nothing about coverage, corpora or
// processes. It is linked into the user's test binary, so it uses the standard library only.
//
// Values of this package are not safe for concurrent use while one goroutine modifies them.
package input

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
)

// Kind is the type of one argument. Two spellings of one type (byte and uint8, rune and int32) have one Kind.
type Kind uint8

// The kinds that a fuzz target may take. The numbers are part of the packed form and never change.
const (
	Invalid Kind = iota
	Bytes
	String
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	numKinds
)

// kindTypes maps a Kind to its Go type. Its order is that of the constants above.
var kindTypes = [numKinds]reflect.Type{
	Bytes:   reflect.TypeFor[[]byte](),
	String:  reflect.TypeFor[string](),
	Bool:    reflect.TypeFor[bool](),
	Int:     reflect.TypeFor[int](),
	Int8:    reflect.TypeFor[int8](),
	Int16:   reflect.TypeFor[int16](),
	Int32:   reflect.TypeFor[int32](),
	Int64:   reflect.TypeFor[int64](),
	Uint:    reflect.TypeFor[uint](),
	Uint8:   reflect.TypeFor[uint8](),
	Uint16:  reflect.TypeFor[uint16](),
	Uint32:  reflect.TypeFor[uint32](),
	Uint64:  reflect.TypeFor[uint64](),
	Float32: reflect.TypeFor[float32](),
	Float64: reflect.TypeFor[float64](),
}

// KindOf returns the Kind of a Go type; ok is false if a fuzz target cannot take that type.
func KindOf(t reflect.Type) (k Kind, ok bool) {
	for k := Bytes; k < numKinds; k++ {
		if kindTypes[k] == t {
			return k, true
		}
	}
	return Invalid, false
}

// Type returns the Go type of a valid Kind.
func (k Kind) Type() reflect.Type { return kindTypes[k] }

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool { return k > Invalid && k < numKinds }

// IsBuffer reports whether values of the kind are bytes or strings, whose content is in [Value.Data].
func (k Kind) IsBuffer() bool { return k == Bytes || k == String }

// String returns the name of the Go type as package reflect prints it.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindTypes[k].String()
}

// Width returns the size of a number in bits: 1 for Bool, 64 for Int and Uint, 0 for Bytes and String.
func (k Kind) Width() int {
	switch k {
	case Bool:
		return 1
	case Int8, Uint8:
		return 8
	case Int16, Uint16:
		return 16
	case Int32, Uint32, Float32:
		return 32
	case Int, Int64, Uint, Uint64, Float64:
		return 64
	}
	return 0
}

// Value is one argument. Bytes and String have their content in Data; all others have it in Bits: an integer in two's
// complement extended to 64 bits by its sign, a float as its IEEE 754 bits (32 or 64), a bool as 0 or 1.
type Value struct {
	Kind Kind
	Bits uint64
	Data []byte
}

// Args is one argument tuple, in the order of the target's parameters after *testing.T.
type Args []Value

// FromValues makes an Args of Go values such as F.Add takes. It copies byte slices. The error names the first value
// whose type a fuzz target cannot take.
func FromValues(vals []any) (Args, error) {
	a := make(Args, len(vals))
	for i, v := range vals {
		k, ok := KindOf(reflect.TypeOf(v))
		if !ok {
			return nil, fmt.Errorf("argument %d has the unsupported type %T", i+1, v)
		}
		a[i] = valueOf(k, v)
	}
	return a, nil
}

func valueOf(k Kind, v any) Value {
	switch v := v.(type) {
	case []byte:
		return Value{Kind: k, Data: bytes.Clone(v)}
	case string:
		return Value{Kind: k, Data: []byte(v)}
	case bool:
		if v {
			return Value{Kind: k, Bits: 1}
		}
		return Value{Kind: k}
	case float32:
		return Value{Kind: k, Bits: uint64(math.Float32bits(v))}
	case float64:
		return Value{Kind: k, Bits: math.Float64bits(v)}
	}
	if r := reflect.ValueOf(v); r.CanInt() {
		return Value{Kind: k, Bits: uint64(r.Int())}
	} else {
		return Value{Kind: k, Bits: r.Uint()}
	}
}

// Go returns the argument as a Go value of its type. Byte slices are copies.
func (v Value) Go() any {
	switch v.Kind {
	case Bytes:
		return append([]byte{}, v.Data...)
	case String:
		return string(v.Data)
	case Bool:
		return v.Bits&1 != 0
	case Float32:
		return math.Float32frombits(uint32(v.Bits))
	case Float64:
		return math.Float64frombits(v.Bits)
	}
	r := reflect.New(v.Kind.Type()).Elem()
	if r.CanInt() {
		r.SetInt(int64(v.Bits))
	} else {
		r.SetUint(v.Bits)
	}
	return r.Interface()
}

// Float returns the value of an argument whose Kind is Float32 or Float64.
func (v Value) Float() float64 {
	if v.Kind == Float32 {
		return float64(math.Float32frombits(uint32(v.Bits)))
	}
	return math.Float64frombits(v.Bits)
}

// FloatBits returns the [Value.Bits] of an argument with the value f, if k is Float32 or Float64.
func (k Kind) FloatBits(f float64) uint64 {
	if k == Float32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// Values returns the arguments as Go values of their types.
func (a Args) Values() []any {
	vals := make([]any, len(a))
	for i, v := range a {
		vals[i] = v.Go()
	}
	return vals
}

// Kinds returns the kind of each argument.
func (a Args) Kinds() []Kind {
	ks := make([]Kind, len(a))
	for i, v := range a {
		ks[i] = v.Kind
	}
	return ks
}

// Zero returns the tuple of zero values: what a target gets when there is no seed at all.
func Zero(kinds []Kind) Args {
	a := make(Args, len(kinds))
	for i, k := range kinds {
		a[i].Kind = k
	}
	return a
}

// Clone returns a deep copy.
func (a Args) Clone() Args {
	b := make(Args, len(a))
	for i, v := range a {
		b[i] = v
		b[i].Data = bytes.Clone(v.Data)
	}
	return b
}

// Equal reports whether both tuples have the same kinds and bits. A nil and an empty byte slice are equal.
func (a Args) Equal(b Args) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || a[i].Bits != b[i].Bits || !bytes.Equal(a[i].Data, b[i].Data) {
			return false
		}
	}
	return true
}

// Size returns the number of bytes that the arguments hold: the length of buffers, the width of numbers.
func (a Args) Size() int {
	n := 0
	for _, v := range a {
		n += len(v.Data) + (v.Kind.Width()+7)/8
	}
	return n
}
