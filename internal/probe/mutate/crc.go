package mutate

// crcTables hold the CRC-32 of IEEE 802.3 of each byte, followed by 0 to 3 zeros.
var crcTables = func() (t [4][256]uint32) {
	for i := range t[0] {
		c := uint32(i)
		for range 8 {
			c = c>>1 ^ 0xedb88320&-(c&1)
		}
		t[0][i] = c
	}
	for i := range t[0] {
		for k := 1; k < len(t); k++ {
			t[k][i] = t[k-1][i]>>8 ^ t[0][byte(t[k-1][i])]
		}
	}
	return t
}()

// crc32 is that of package hash/crc32, which may be instrumented in the user's binary.
func crc32(b []byte) uint32 {
	c := ^uint32(0)
	for ; len(b) >= 4; b = b[4:] {
		c ^= uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
		c = crcTables[3][byte(c)] ^ crcTables[2][byte(c>>8)] ^ crcTables[1][byte(c>>16)] ^ crcTables[0][c>>24]
	}
	for _, x := range b {
		c = c>>8 ^ crcTables[0][byte(c)^x]
	}
	return ^c
}

// adler32 is that of package hash/adler32.
func adler32(b []byte) uint32 {
	const mod, block = 65521, 5552 // so many bytes cannot overflow 32 bits
	x, y := uint32(1), uint32(0)
	for len(b) > 0 {
		n := min(len(b), block)
		for _, c := range b[:n] {
			x += uint32(c)
			y += x
		}
		x, y, b = x%mod, y%mod, b[n:]
	}
	return y<<16 | x
}
