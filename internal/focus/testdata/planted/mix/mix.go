// Package mix hashes bytes, so that no comparison shows how near a value is.
package mix

// Of returns a hash of two bytes with that many bits.
func Of(a, b byte, bits uint) uint32 {
	x := uint32(a)<<8 | uint32(b) | 0x5a<<16
	x ^= x >> 7
	x *= 0x9e3779b1
	x ^= x >> 15
	x *= 0x85ebca77
	x ^= x >> 13
	return x & (1<<bits - 1)
}
