package tlv

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func TestDecode(t *testing.T) {
	long := append([]byte{0x30, 0x81, 0x80}, make([]byte, 0x80)...)
	tests := []struct {
		name string
		in   []byte
		want []Field
		err  error
	}{
		{"nothing", nil, nil, nil},
		{"two fields", []byte{1, 2, 'h', 'i', 2, 0}, []Field{{1, []byte("hi")}, {2, []byte{}}}, nil},
		{"long length", long, []Field{{0x30, make([]byte, 0x80)}}, nil},
		{"tag alone", []byte{1}, nil, ErrTruncated},
		{"value cut short", []byte{1, 3, 'h', 'i'}, nil, ErrTruncated},
	}
	for _, tt := range tests {
		got, err := Decode(tt.in)
		if !errors.Is(err, tt.err) || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: Decode = %v, %v, want %v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestEncodeUsesTheShortestLength(t *testing.T) {
	for _, n := range []int{0, 0x7f, 0x80, 0xff, 0x100, 0x12345} {
		in := []Field{{9, bytes.Repeat([]byte("x"), n)}}
		got, err := Decode(Encode(in))
		if err != nil || !reflect.DeepEqual(got, in) {
			t.Errorf("%d bytes come back as %d fields, %v", n, len(got), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{1, 2, 'h', 'i', 2, 0})
	f.Add(append([]byte{0x30, 0x81, 0x80}, make([]byte, 0x80)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		fields, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(Encode(fields))
		if err != nil {
			t.Fatalf("Decode(Encode(%v)): %v", fields, err)
		}
		if !reflect.DeepEqual(again, fields) {
			t.Errorf("%v comes back as %v", fields, again)
		}
	})
}
