package distill

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// pack returns ascending features as differences: one byte for most of them, so that the features of all inputs of a corpus fit the memory.
func pack(features []cover.Feature) []byte {
	b := make([]byte, 0, len(features)+8)
	var last cover.Feature
	for _, f := range features {
		b = binary.AppendUvarint(b, uint64(f-last))
		last = f
	}
	return slices.Clip(b)
}

// each calls do for each of packed features.
func each(packed []byte, do func(cover.Feature)) {
	var f cover.Feature
	for len(packed) > 0 {
		step, n := binary.Uvarint(packed)
		f, packed = f+cover.Feature(step), packed[n:]
		do(f)
	}
}

// unpack returns packed features.
func unpack(packed []byte) (features []cover.Feature) {
	features = make([]cover.Feature, 0, len(packed))
	each(packed, func(f cover.Feature) { features = append(features, f) })
	return features
}

// set is a set of features, as bits.
type set struct{ words []uint64 }

func (s *set) add(features []cover.Feature) {
	for _, f := range features {
		if need := int(f/64) + 1; need > len(s.words) {
			s.words = append(s.words, make([]uint64, need-len(s.words))...)
		}
		s.words[f/64] |= 1 << (f % 64)
	}
}

func (s *set) has(f cover.Feature) bool {
	return int(f/64) < len(s.words) && s.words[f/64]>>(f%64)&1 != 0
}

// missing returns how many of packed features are not in the set.
func (s *set) missing(packed []byte) (n int) {
	each(packed, func(f cover.Feature) {
		if !s.has(f) {
			n++
		}
	})
	return n
}

// size returns how many features are in the set.
func (s *set) size() (n int) {
	for _, word := range s.words {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s *set) clone() *set { return &set{slices.Clone(s.words)} }
