// Package pngtrns opens for an image with a palette whose colours are half transparent.
//
// Technique: checksums, solve. A PNG needs one more chunk for that, behind a checksum of its own, and nothing is read behind a
// checksum that is wrong. Blind mutation has to hit it. Comparisons show which one is right, so that it is put in where it is
// wrong, too, after a million executions and more.
package pngtrns

import (
	"bytes"
	"image"
	"image/png"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	config, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || config.Width*config.Height > 1024 {
		return false
	}
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return false
	}
	p, ok := m.(*image.Paletted)
	if !ok {
		return false
	}
	for _, c := range p.Palette {
		if _, _, _, a := c.RGBA(); a > 0 && a < 0xffff {
			return true
		}
	}
	return false
}
