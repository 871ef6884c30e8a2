package mutate

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// fixShare is how many of four mutants of an entry with a checksum get a right one. The others show how the target handles a
// wrong one.
const fixShare = 3

// fixLast repairs the checksums of the mutant, most of the time.
func fixLast(m *Material, a input.Args) {
	for i := range a {
		if b := a[i].Data; hasChecksum(m, i, b) && m.Rand.Chance(fixShare, 4) && fixChecksums(m, i, b) {
			m.trace("fix-checksum")
		}
	}
}

// FixChecksums repairs the checksums of a tuple in place: those of formats that it knows by their first bytes (PNG, gzip,
// zlib), and those at the head or tail of a buffer that Recognize has found. In a PNG it also repairs the lengths of chunks.
// It reports whether it has changed something. Havoc does the same most of the time.
func FixChecksums(m *Material, a input.Args) (changed bool) {
	for i := range a {
		if hasChecksum(m, i, a[i].Data) && fixChecksums(m, i, a[i].Data) {
			changed = true
		}
	}
	return changed
}

// FixContainers is FixChecksums for formats that are known by their first bytes only: what Recognize found in a few bytes
// may be no checksum, and many targets look at the last bytes of an input. Without technique.Checksums it does nothing.
func FixContainers(m *Material, a input.Args) (changed bool) {
	if m.Without.Has(technique.Checksums) {
		return false
	}
	for i := range a {
		changed = fixContainer(m, a[i].Data) || changed
	}
	return changed
}

// HasContainer reports whether FixContainers knows the format of an argument.
func HasContainer(m *Material, a input.Args) bool {
	return !m.Without.Has(technique.Checksums) && slices.ContainsFunc(a, func(v input.Value) bool { return isContainer(v.Data) })
}

func isContainer(b []byte) bool { return isPNG(b) || isGzip(b) || isZlib(b) }

// hasChecksum reports whether argument i with the content b may have checksums that fixChecksums repairs. It takes a few
// nanoseconds.
func hasChecksum(m *Material, i int, b []byte) bool {
	if len(b) < minSummed {
		return false
	}
	switch b[0] {
	case 0x89, 0x1f, 0x78:
		return true
	}
	return i < len(m.Sums) && m.Sums[i].kind != noSum
}

// minSummed is the length of the shortest buffer in which checksums are looked for.
const minSummed = 4

func fixChecksums(m *Material, i int, b []byte) (changed bool) {
	if !isContainer(b) && i < len(m.Sums) && m.Sums[i].kind != noSum {
		return m.Sums[i].fix(b)
	}
	return fixContainer(m, b)
}

func fixContainer(m *Material, b []byte) (changed bool) {
	switch {
	case isPNG(b):
		return fixPNG(m, b)
	case isGzip(b):
		return fixGzip(m, b)
	case isZlib(b):
		return fixZlib(m, b)
	}
	return false
}

const signaturePNG = "\x89PNG\r\n\x1a\n"

func isPNG(b []byte) bool {
	return len(b) >= len(signaturePNG) && string(b[:len(signaturePNG)]) == signaturePNG
}

// chunkFrame is what a PNG chunk has besides its data: a length and a type before it, a CRC behind it.
const chunkFrame = 12

// fixPNG repairs the CRC of each chunk, the length of a chunk behind which no other chunk begins, and the checksum of the
// compressed data if they are in one chunk.
func fixPNG(m *Material, b []byte) (changed bool) {
	for at := len(signaturePNG); at+chunkFrame <= len(b); {
		n := int(load(b[at:at+4], true))
		if room := len(b) - at - chunkFrame; n < 0 || n > room || n < room && !isChunk(b, at+chunkFrame+n) {
			if m.Without.Has(technique.LengthFields) {
				return changed
			}
			next := at + chunkFrame
			for next < len(b) && !isChunk(b, next) {
				next++
			}
			n = next - at - chunkFrame
			changed = put(b[at:at+4], uint64(n), true) || changed
		}
		data := b[at+8 : at+8+n]
		if string(b[at+4:at+8]) == "IDAT" && isZlib(data) {
			changed = fixZlib(m, data) || changed
		}
		changed = put(b[at+8+n:at+chunkFrame+n], uint64(crc32(b[at+4:at+8+n])), true) || changed
		at += chunkFrame + n
	}
	return changed
}

// isChunk reports whether a chunk may begin at b[at]: its type consists of letters, the third one in upper case.
func isChunk(b []byte, at int) bool {
	if len(b)-at < 8 {
		return false
	}
	t := b[at+4 : at+8]
	return classes[t[0]]&letter != 0 && classes[t[1]]&letter != 0 && classes[t[2]]&upper != 0 && classes[t[3]]&letter != 0
}

// Flags of the header of gzip (RFC 1952), and its length without the optional parts.
const (
	gzipHeaderSum = 1 << 1
	gzipExtra     = 1 << 2
	gzipName      = 1 << 3
	gzipComment   = 1 << 4
	gzipHeader    = 10
	gzipTrailer   = 8
)

func isGzip(b []byte) bool { return len(b) > gzipHeader && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8 }

// fixGzip repairs the checksum of the header, and the checksum and the size behind the data, for each member.
func fixGzip(m *Material, b []byte) (changed bool) {
	for isGzip(b) {
		at, sum := gzipData(b)
		if at > len(b) {
			return changed
		}
		if sum {
			changed = put(b[at-2:at], uint64(crc32(b[:at-2])), false) || changed
		}
		data, n, ok := m.unpack(b[at:])
		if at += n; !ok || len(b)-at < gzipTrailer {
			return changed
		}
		changed = put(b[at:at+4], uint64(crc32(data)), false) || changed
		changed = put(b[at+4:at+8], uint64(len(data)), false) || changed
		b = b[at+gzipTrailer:]
	}
	return changed
}

// gzipData returns where the data of a member begin, which is beyond the end if the header does not end, and whether a
// checksum of the header is before them.
func gzipData(b []byte) (at int, sum bool) {
	flags := b[3]
	at = gzipHeader
	if flags&gzipExtra != 0 {
		if at+2 > len(b) {
			return len(b) + 1, false
		}
		at += 2 + int(load(b[at:at+2], false))
	}
	for _, text := range [...]byte{gzipName, gzipComment} {
		if flags&text == 0 {
			continue
		}
		for at < len(b) && b[at] != 0 {
			at++
		}
		at++
	}
	if flags&gzipHeaderSum != 0 {
		return at + 2, true
	}
	return at, false
}

// isZlib reports whether b has the header of zlib (RFC 1950) with the usual window and no dictionary.
func isZlib(b []byte) bool {
	return len(b) > 6 && b[0] == 0x78 && b[1]&0x20 == 0 && (uint(b[0])<<8|uint(b[1]))%31 == 0
}

// fixZlib repairs the checksum behind the data.
func fixZlib(m *Material, b []byte) bool {
	data, n, ok := m.unpack(b[2:])
	if at := 2 + n; ok && len(b)-at >= 4 {
		return put(b[at:at+4], uint64(adler32(data)), true)
	}
	return false
}
