// Package pairs opens when two arguments of four are changed at once.
//
// Technique: none. The arguments are mixed into one number before it is compared, so no comparison shows one of them, and
// changing one alone is no progress; but mutants that are made of each other change several.
package pairs

// Open reports whether the arguments are solved.
func Open(a, b, c, d uint8) bool {
	return all(a, b, c, d) == want
}

var want = all(201, 77, 30, 9)

func all(a, b, c, d uint8) uint32 {
	return (mix(a) ^ mix(b)<<8 ^ mix(c)<<16 ^ mix(d)<<24) * 2654435761
}

// mix is a permutation of bytes.
func mix(c uint8) uint32 { return uint32((c ^ c>>3) * 167) }
