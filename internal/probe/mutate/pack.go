package mutate

// MaxStored is the size of the largest block of DEFLATE that is not compressed.
const MaxStored = 1<<16 - 1

// Unpack returns what b holds if it is a gzip file of one member, or data of zlib, and the size of its header. The data
// are valid until the next call with the same Material.
func Unpack(m *Material, b []byte) (data []byte, head int, ok bool) {
	trailer := 4
	switch {
	case isGzip(b):
		head, _ = gzipData(b)
		trailer = gzipTrailer
	case isZlib(b):
		head = 2
	default:
		return nil, 0, false
	}
	if head > len(b) {
		return nil, 0, false
	}
	data, n, ok := m.unpack(b[head:])
	return data, head, ok && head+n+trailer == len(b)
}

// Repack returns a file with a header that Unpack has found, and data that are not compressed, MaxStored bytes of them at
// most, so that the data are in the file as they are.
func Repack(head, data []byte) []byte {
	if len(data) > MaxStored {
		data = data[:MaxStored]
	}
	n := len(data)
	b := append([]byte(nil), head...)
	b = append(b, 1, byte(n), byte(n>>8), byte(^n), byte(^n>>8)) // the last block, stored
	b = append(b, data...)
	if isZlib(append(b, 0, 0, 0, 0)) {
		b = append(b, 0, 0, 0, 0)
		store(b[len(b)-4:], uint64(adler32(data)), true)
		return b
	}
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	store(b[len(b)-8:len(b)-4], uint64(crc32(data)), false)
	store(b[len(b)-4:], uint64(n), false)
	return b
}
