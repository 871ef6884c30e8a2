// Package gif decodes small images with image/gif.
package gif

import (
	"bytes"
	"image/gif"
	"io"
)

// Limits that keep decoding fast.
const (
	maxPixels = 4096
	maxBytes  = 4096
)

// Target decodes b and encodes what came out.
func Target(b []byte) {
	c, err := gif.DecodeConfig(bytes.NewReader(b))
	if err != nil || len(b) > maxBytes || c.Width*c.Height > maxPixels {
		return
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err == nil {
		_ = gif.EncodeAll(io.Discard, g)
	}
}
