package pngtrns

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/verdict"
)

func FuzzPngtrns(f *testing.F) {
	f.Add(seed(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		verdict.Check(t, Open(b))
	})
}

// seed is a small image with a palette and no transparency.
func seed(f *testing.F) []byte {
	var b bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Black, color.White})
	if err := png.Encode(&b, m); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}
