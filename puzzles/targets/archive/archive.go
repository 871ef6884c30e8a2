// Package archive opens for a file whose header has a checksum, and the place of a directory that begins with a word.
//
// Technique: checksums, lengths. The checksum is compared as bytes in the order that the input does not have, and what
// it covers shows where to read on: a reader that is sent behind the end of the file compares nothing.
package archive

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var word = derived.Word("archive", 5)

// Magic begins each file. Four bytes of checksum follow, then the header of headerSize bytes: where the directory is,
// counted from the end of the header, and how large it is.
const (
	Magic      = "ar\xb7\x1e"
	headerSize = 16
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	r := bytes.NewReader(b)
	section := io.NewSectionReader(r, 0, r.Size())
	start := make([]byte, len(Magic)+crc32.Size+headerSize)
	if _, err := io.ReadFull(section, start); err != nil || string(start[:len(Magic)]) != Magic {
		return false
	}
	stored, header := start[len(Magic):][:crc32.Size], start[len(Magic)+crc32.Size:]
	slices.Reverse(stored)
	sum := crc32.NewIEEE()
	sum.Write(header)
	if !bytes.Equal(sum.Sum(nil), stored) {
		return false
	}
	offset, size := binary.LittleEndian.Uint64(header), binary.LittleEndian.Uint64(header[8:])
	at, err := section.Seek(int64(offset), io.SeekCurrent)
	if err != nil {
		return false
	}
	directory := make([]byte, len(word))
	if n, _ := io.NewSectionReader(r, at, int64(size)).Read(directory); n < len(directory) {
		return false
	}
	return string(directory) == word
}
