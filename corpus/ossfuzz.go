package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
)

// OSS-Fuzz compiles a Go target as one of libFuzzer, so that a wrapper makes the arguments of bytes. There are two wrappers. That of
// compile_native_go_fuzzer is go-118-fuzz-build, which takes the arguments from the bytes in their order (ossfuzz-v1): a buffer with its
// length before it, a number in either byte order. That of compile_native_go_fuzzer_v2 takes the numbers first and divides what is left
// between the buffers (ossfuzz-v2).

// width returns the number of bytes of a number in both formats.
func width(k input.Kind) int { return (k.Width() + 7) / 8 }

// number returns the argument whose big-endian bits are b.
func number(k input.Kind, b []byte) input.Value {
	var bits uint64
	for _, c := range b {
		bits = bits<<8 | uint64(c)
	}
	switch k {
	case input.Int8:
		bits = uint64(int8(bits))
	case input.Int16:
		bits = uint64(int16(bits))
	case input.Int32:
		bits = uint64(int32(bits))
	case input.Int:
		bits = uint64(int(bits))
	case input.Uint:
		bits = uint64(uint(bits))
	}
	return input.Value{Kind: k, Bits: bits}
}

// appendNumber appends the big-endian bits of a number.
func appendNumber(b []byte, v input.Value) []byte {
	for i := width(v.Kind) - 1; i >= 0; i-- {
		b = append(b, byte(v.Bits>>(8*i)))
	}
	return b
}

// Facts about ossfuzz-v1.
const (
	ossFuzz1Default = 30            // length of bytes if the file says zero
	ossFuzz1Text    = 2_000_000     // offset behind which no string begins
	ossFuzz1File    = math.MaxInt32 // bytes of a file; lengths have 32 bits, and may be doubled
)

// ossFuzz1 is the codec of ossfuzz-v1.
type ossFuzz1 struct{ kinds []input.Kind }

func ossFuzz1Codec(kinds []input.Kind) Codec { return ossFuzz1{kinds} }

// hasOrder reports whether a byte behind a number gives its byte order: little-endian if it is even.
func hasOrder(k input.Kind) bool { return width(k) > 1 && k != input.Int32 && k != input.Uint32 }

// Marshal writes lengths that the wrapper takes as they are.
func (c ossFuzz1) Marshal(a input.Args) ([]byte, error) {
	if err := input.CheckKinds(a, c.kinds); err != nil {
		return nil, err
	}
	size := 0
	for _, v := range a {
		size += width(v.Kind) + len(v.Data)
		switch {
		case v.Kind.IsBuffer():
			size += 4
		case hasOrder(v.Kind):
			size++
		}
	}
	if n := len(a); n > 0 && a[n-1].Kind.IsBuffer() && len(a[n-1].Data) == 0 {
		size++ // the wrapper takes no buffer from nothing, so a byte follows that it ignores
	}
	if size > ossFuzz1File {
		return nil, fmt.Errorf("the file would have %d bytes, and lengths have 32 bits", size)
	}
	b := make([]byte, 0, size)
	for i, v := range a {
		var err error
		if b, err = c.append(b, v, size); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return b[:size], nil
}

// append appends an argument to the beginning of a file of size bytes.
func (c ossFuzz1) append(b []byte, v input.Value, size int) ([]byte, error) {
	switch {
	case v.Kind == input.Bool:
		return append(b, byte(^v.Bits&1)), nil // an even byte is true
	case hasOrder(v.Kind):
		return append(appendNumber(b, v), 1), nil
	case !v.Kind.IsBuffer():
		return appendNumber(b, v), nil
	}
	length, left := uint32(len(v.Data)), uint32(size-len(b)-4)
	if v.Kind == input.String && len(b)+4 > ossFuzz1Text {
		return nil, fmt.Errorf("the string would begin behind the first %d bytes of the file, from which the wrapper takes none", ossFuzz1Text)
	}
	if v.Kind == input.Bytes && length == 0 {
		length = 2 * left // zero would mean 30; the wrapper divides by what is left
	}
	return append(binary.BigEndian.AppendUint32(b, length), v.Data...), nil
}

// Unmarshal does what the wrapper does. If a file ends too early, the wrapper does not call the target.
func (c ossFuzz1) Unmarshal(file []byte) (input.Args, error) {
	a := make(input.Args, len(c.kinds))
	rest := file
	take := func(n int) (b []byte, ok bool) {
		if n > len(rest) || len(rest) == 0 {
			return nil, false
		}
		b, rest = rest[:n], rest[n:]
		return b, true
	}
	for i, k := range c.kinds {
		v, ok := c.take(k, take, func() int { return len(rest) }, len(file))
		if !ok {
			return nil, fmt.Errorf("the file ends before argument %d, and OSS-Fuzz does not run it", i+1)
		}
		a[i] = v
	}
	return a, nil
}

// take takes one argument of kind k from a file of size bytes. take returns that many bytes of what is left, and left how many there are.
func (ossFuzz1) take(k input.Kind, take func(int) ([]byte, bool), left func() int, size int) (v input.Value, ok bool) {
	if !k.IsBuffer() {
		b, ok := take(width(k))
		if !ok {
			return v, false
		}
		b = bytes.Clone(b)
		if hasOrder(k) {
			order, ok := take(1)
			if !ok {
				return v, false
			}
			if order[0]%2 == 0 {
				slices.Reverse(b)
			}
		}
		if k == input.Bool {
			b[0] = ^b[0] & 1
		}
		return number(k, b), true
	}
	word, ok := take(4)
	if !ok || left() == 0 || k == input.String && size-left() > ossFuzz1Text {
		return v, false
	}
	length := uint64(binary.BigEndian.Uint32(word))
	if k == input.Bytes {
		if length == 0 {
			length = ossFuzz1Default
		}
		if length != uint64(left()) {
			length %= uint64(left())
		}
	}
	if length > uint64(left()) {
		return v, false
	}
	b, _ := take(int(length))
	return input.Value{Kind: k, Data: bytes.Clone(b)}, true
}
