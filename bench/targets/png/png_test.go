// Package png decodes small images with image/png.
package png

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"bench.test/limit"
)

var seeds = []limit.Args{{encode(image.NewGray(image.Rect(0, 0, 4, 4)))}, {encode(palette())}}

// maxPixels keeps headers with huge sizes from being all that is measured.
const maxPixels = 1 << 12

func palette() image.Image {
	m := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black, color.White, color.Transparent})
	m.SetColorIndex(1, 1, 2)
	return m
}

func encode(m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func target(b []byte) {
	config, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || config.Width*config.Height > maxPixels {
		return
	}
	// Broken images are expected.
	_, _ = png.Decode(bytes.NewReader(b))
}

func FuzzTarget(f *testing.F) {
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) { target(b) })
}

func FuzzRecord(f *testing.F) {
	r := limit.NewRecorder(f)
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) {
		if r.Due() {
			r.Write(b)
		}
		target(b)
	})
}

func TestLimit(t *testing.T) {
	limit.Run(t, func(a limit.Args) func() {
		b := a[0].([]byte)
		return func() { target(b) }
	})
}
