package dictionary

import (
	"encoding/binary"
	"math"
	"strconv"
)

const (
	// smallest, largest: integers between them are in the tables of every mutator, and in the next input as well.
	smallest, largest = -1, 9
	// oneByte: what fits into a byte is met by random mutation soon, so its encodings are less likely to help.
	oneByte = 255
)

// integer adds the encodings of an integer that a file or a text may have it in. bits is its two's complement; a
// negative one has the sign set.
func (f *file) integer(bits uint64, negative bool) {
	v := int64(bits)
	if negative && v >= smallest || !negative && bits <= largest {
		return
	}
	first := likely
	if !negative && bits <= oneByte {
		first = unlikely
	}
	text := strconv.FormatUint(bits, 10)
	if negative {
		text = strconv.FormatInt(v, 10)
	}
	f.number(first, text)
	for _, width := range []int{1, 2, 4, 8} {
		if !fits(bits, negative, width) {
			continue
		}
		le := binary.LittleEndian.AppendUint64(nil, bits)[:width]
		be := binary.BigEndian.AppendUint64(nil, bits)[8-width:]
		f.number(first, string(le))
		f.number(first, string(be))
		first = unlikely // wider than it needs to be
	}
	if negative {
		return
	}
	f.number(unlikely, string(binary.AppendUvarint(nil, bits)))
	f.number(unlikely, strconv.FormatUint(bits, 16))
}

// fits reports whether an integer has an encoding of that many bytes, signed or unsigned.
func fits(bits uint64, negative bool, width int) bool {
	if width == 8 {
		return true
	}
	if negative {
		return int64(bits) >= -1<<(8*width-1)
	}
	return bits < 1<<(8*width)
}

// float adds the encodings of a floating-point number. Whole numbers are written as integers too.
func (f *file) float(v float64) {
	if v == 0 || v == 1 {
		return
	}
	f.number(likely, strconv.FormatFloat(v, 'g', -1, 64))
	bits := math.Float64bits(v)
	f.number(unlikely, string(binary.LittleEndian.AppendUint64(nil, bits)))
	f.number(unlikely, string(binary.BigEndian.AppendUint64(nil, bits)))
	narrow := math.Float32bits(float32(v))
	f.number(unlikely, string(binary.LittleEndian.AppendUint32(nil, narrow)))
	f.number(unlikely, string(binary.BigEndian.AppendUint32(nil, narrow)))
}

func (f *file) number(b band, text string) { f.words.add(text, b, f.distance, number) }
