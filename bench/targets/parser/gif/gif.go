// Package gif decodes small images with image/gif.
package gif

import (
	"bytes"
	"image/gif"
	"io"
)

// maxPixels keeps decoding fast.
const maxPixels = 4096

// Target decodes b and encodes the result.
func Target(b []byte) {
	c, err := gif.DecodeConfig(bytes.NewReader(b))
	if err != nil || c.Width*c.Height > maxPixels {
		return
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err == nil {
		_ = gif.EncodeAll(io.Discard, g)
	}
}
