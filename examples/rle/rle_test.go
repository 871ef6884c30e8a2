package rle

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

var sample = []byte("RLE1\x00\x04\x00\x02\x03\x00\x01\xff\x04\x80")

func TestDecode(t *testing.T) {
	want := &Image{Width: 4, Height: 2, Pix: []byte{0, 0, 0, 255, 128, 128, 128, 128}}
	got, err := Decode(sample)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("Decode(sample) = %v, %v, want %v", got, err, want)
	}
	if b := Encode(got); !bytes.Equal(b, sample) {
		t.Errorf("Encode = %q, want %q", b, sample)
	}
}

func TestDecodeReportsErrors(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want error
	}{
		{"empty", nil, ErrFormat},
		{"wrong magic", []byte("RLE2\x00\x01\x00\x01\x01\x00"), ErrFormat},
		{"no runs", sample[:headerSize], ErrData},
		{"half a run", sample[:len(sample)-1], ErrData},
		{"too many pixels", append(bytes.Clone(sample), 1, 1), ErrData},
		{"run of nothing", []byte("RLE1\x00\x01\x00\x01\x00\x00\x01\x00"), ErrData},
	}
	for _, tt := range tests {
		if _, err := Decode(tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(sample)
	f.Add([]byte("RLE1\x00\x01\x00\x01\x01\x07"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(Encode(m))
		if err != nil {
			t.Fatalf("Decode of an encoded image of %d by %d: %v", m.Width, m.Height, err)
		}
		if !reflect.DeepEqual(again, m) {
			t.Errorf("an image of %d by %d does not survive Encode and Decode", m.Width, m.Height)
		}
	})
}
