// Package png decodes small images with image/png.
package png

import (
	"bytes"
	"image/png"
)

// maxPixels keeps decoding fast.
const maxPixels = 4096

// Target decodes b.
func Target(b []byte) {
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || c.Width > maxPixels || c.Height > maxPixels || c.Width*c.Height > maxPixels {
		return
	}
	_, _ = png.Decode(bytes.NewReader(b))
}
