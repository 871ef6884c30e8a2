package coverage

import (
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Sources has the blocks of a test binary, each with an input of a target that reaches it, in the form in which the history keeps them.
type Sources []SourceBlock

// SourceBlock is a block with one of the inputs that reach it.
type SourceBlock struct {
	Block
	Count int    // how many inputs reach it, at least 1 if only code around inputs does; 0: nothing reaches it
	Entry string // the name of an input that reaches it: a file of the corpus or of testdata/fuzz, or seed#<n>; empty: none is known
	Input string // a corpus file with the input, because an input of F.Add has no file; empty if the input is longer than maxKept bytes
}

// maxKept is the size of the largest input that a SourceBlock has, in bytes.
const maxKept = 512

// kept returns the content of the file of an input; empty if it is too long.
func kept(a input.Args) string {
	if a.Size() > maxKept {
		return ""
	}
	return string(input.Marshal(a))
}

// Sources returns the blocks of the binary with the smallest input that reaches each.
func (r *Replayed) Sources() (list Sources) {
	for _, b := range Merge([]*Replayed{r}, All) {
		one := SourceBlock{Block: b.Block, Count: b.Inputs}
		if b.Around {
			one.Count = max(1, one.Count)
		}
		if b.Smallest != nil {
			one.Entry, one.Input = b.Smallest.Name, kept(b.Smallest.Args)
		}
		list = append(list, one)
	}
	return list
}

// Encode returns the sources, and of files those that they have blocks of, as bytes, which [DecodeSources] reads.
func (s Sources) Encode(files Files) ([]byte, error) {
	data, err := Pack(s, files.of(s))
	if err != nil {
		return nil, fmt.Errorf("encode which statements inputs reach: %w", err)
	}
	return data, nil
}

// DecodeSources is the inverse of [Sources.Encode].
func DecodeSources(data []byte) (s Sources, files Files, err error) {
	if err := Unpack(data, &s, &files); err != nil {
		return nil, nil, fmt.Errorf("decode which statements inputs reach: %w", err)
	}
	return s, files, nil
}
