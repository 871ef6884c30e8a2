package cover

// Digest identifies a test binary: the counters of two binaries, and so their features, have nothing to do with each other.
// The zero value is that of a binary that is not known.
type Digest [16]byte

// Shown is what an input shows in executions of one binary.
type Shown struct {
	Binary   Digest
	Features []Feature // in ascending order
}

// In returns the features if they are about that binary. ok is false if they are not, or if it is not known.
func (s Shown) In(binary Digest) (features []Feature, ok bool) {
	if s.Binary != binary || binary == (Digest{}) {
		return nil, false
	}
	return s.Features, true
}
