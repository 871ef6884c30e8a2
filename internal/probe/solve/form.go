package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

// form is a way in which a parser reads an integer from bytes. append appends the bytes of v to dst; ok is false if v has no
// such form, or none of the given width. The forms that are numerals have a base instead: a search reads the numerals of the
// input, since a number has many of them.
type form struct {
	name   string
	append func(dst []byte, v uint64, width uint8) (enc []byte, ok bool)
	base   uint64
	// A zero is not looked for in this form: it has the same bytes as in others, and is everywhere.
	nonzero bool
}

// plainForms is how many forms at the head of the table are used without technique.Encodings.
const plainForms = 2

// commonForms is how many forms at the head of the table most formats use. Random prefers them. It never uses the next one,
// numbers with a decimal point.
const commonForms = 14

// forms in the order in which they are tried: what most formats use comes first.
var forms = []form{
	{name: "little-endian", append: littleEndian},
	{name: "big-endian", append: bigEndian},
	{name: "byte", append: narrow(1, littleEndian)},
	{name: "little-endian-16", append: narrow(2, littleEndian)},
	{name: "big-endian-16", append: narrow(2, bigEndian)},
	{name: "little-endian-32", append: narrow(4, littleEndian)},
	{name: "big-endian-32", append: narrow(4, bigEndian)},
	{name: "decimal", base: 10},
	{name: "uvarint", append: uvarint},
	{name: "varint", append: varint},
	{name: "hex", base: 16},
	{name: "octal", base: 8},
	{name: "binary", base: 2},
	{name: "rune", append: utf8Rune},
	{name: "float", base: floatBase},
	{name: "little-endian-24", append: narrow(3, littleEndian)},
	{name: "big-endian-24", append: narrow(3, bigEndian)},
	{name: "little-endian-40", append: narrow(5, littleEndian)},
	{name: "big-endian-40", append: narrow(5, bigEndian)},
	{name: "little-endian-48", append: narrow(6, littleEndian)},
	{name: "big-endian-48", append: narrow(6, bigEndian)},
	{name: "little-endian-56", append: narrow(7, littleEndian)},
	{name: "big-endian-56", append: narrow(7, bigEndian)},
	{name: "float32-little-endian", append: float32Bits(littleEndian), nonzero: true},
	{name: "float32-big-endian", append: float32Bits(bigEndian), nonzero: true},
	{name: "float64-little-endian", append: float64Bits(littleEndian), nonzero: true},
	{name: "float64-big-endian", append: float64Bits(bigEndian), nonzero: true},
	{name: "hex-of-little-endian", append: hexOf(littleEndian, lowerDigits)},
	{name: "hex-of-big-endian", append: hexOf(bigEndian, lowerDigits)},
	{name: "upper-hex-of-little-endian", append: hexOf(littleEndian, upperDigits)},
	{name: "upper-hex-of-big-endian", append: hexOf(bigEndian, upperDigits)},
	{name: "hex-of-little-endian-32", append: narrow(4, hexOf(littleEndian, lowerDigits))},
	{name: "hex-of-big-endian-32", append: narrow(4, hexOf(bigEndian, lowerDigits))},
	{name: "upper-hex-of-little-endian-32", append: narrow(4, hexOf(littleEndian, upperDigits))},
	{name: "upper-hex-of-big-endian-32", append: narrow(4, hexOf(bigEndian, upperDigits))},
	{name: "hex-of-little-endian-16", append: narrow(2, hexOf(littleEndian, lowerDigits))},
	{name: "hex-of-big-endian-16", append: narrow(2, hexOf(bigEndian, lowerDigits))},
	{name: "base64", base: base64Base},
}

// floatBase and base64Base mark the two forms that have searches of their own.
const (
	floatBase  = 1
	base64Base = 64
)

// allForms is the set of all of them.
const allForms = ^uint64(0)

// plain reports whether only the plain encodings are tried.
func plain(without technique.Set) bool { return without.Has(technique.Encodings) }

// numForms is how many of the forms may be tried: those at the head of the table.
func numForms(without technique.Set) int {
	if plain(without) {
		return plainForms
	}
	return len(forms)
}
