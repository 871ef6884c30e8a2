package solve

// search looks for a compared value in the input, in each form in which it may be there, and emits what replaces it. The
// methods for one kind of form are in one file.
type search struct {
	emitter
	near     bool   // random edits include lengths of parts
	tried    uint64 // bit set of the forms to try
	textForm int    // the one that a random edit uses

	// Scratch space.
	seenBuf, twinBuf             [maxEncoded]byte
	wantBuf                      [3][maxEncoded]byte
	seenText, twinText, wantText []byte
	decoded, twinDecoded         []byte // of base64
	encoded                      []byte
	allText                      []byte // all occurrences of a word
	reversed                     pair
}

// maxEncoded is the size of the longest encoding of an integer: 64 binary digits and a prefix.
const maxEncoded = 80

// place is a buffer of the input, and the same buffer of the first variant; nil if there is none.
type place struct {
	arg        int
	data, twin []byte
}
