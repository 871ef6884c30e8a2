// Package rle stores grey images as runs of equal pixels. A file is the word "RLE1", width and height as two bytes each,
// and pairs of bytes: how often, and which grey.
package rle

import (
	"encoding/binary"
	"errors"
)

// An Image has Width times Height pixels, row by row.
type Image struct {
	Width, Height int
	Pix           []byte
}

// Row returns the pixels of one row.
func (m *Image) Row(y int) []byte { return m.Pix[y*m.Width : (y+1)*m.Width] }

const (
	magic      = "RLE1"
	headerSize = len(magic) + 4
	maxRun     = 255
)

// What Decode returns for malformed files.
var (
	ErrFormat = errors.New("rle: not an RLE1 file")
	ErrData   = errors.New("rle: runs do not fill the image")
)

// Decode reads an image.
func Decode(b []byte) (*Image, error) {
	if len(b) < headerSize || string(b[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	width := binary.BigEndian.Uint16(b[4:])
	height := binary.BigEndian.Uint16(b[6:])
	b = b[headerSize:]
	pix := make([]byte, 0, width*height)
	for ; len(b) >= 2; b = b[2:] {
		run, grey := int(b[0]), b[1]
		if run == 0 || len(pix)+run > cap(pix) {
			return nil, ErrData
		}
		for ; run > 0; run-- {
			pix = append(pix, grey)
		}
	}
	if len(b) != 0 || len(pix) != cap(pix) {
		return nil, ErrData
	}
	return &Image{Width: int(width), Height: int(height), Pix: pix}, nil
}

// Encode writes an image of at most 65535 by 65535 pixels. Runs do not go beyond the end of a row.
func Encode(m *Image) []byte {
	b := make([]byte, headerSize)
	copy(b, magic)
	binary.BigEndian.PutUint16(b[4:], uint16(m.Width))
	binary.BigEndian.PutUint16(b[6:], uint16(m.Height))
	for y := 0; y < m.Height; y++ {
		row := m.Row(y)
		for len(row) > 0 {
			run := 1
			for run < len(row) && run < maxRun && row[run] == row[0] {
				run++
			}
			b = append(b, byte(run), row[0])
			row = row[run:]
		}
	}
	return b
}
