package solve

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// maxPackedEdits is how many edits of the contents of one compressed buffer are listed.
const maxPackedEdits = 512

// packedEdits lists the edits of the contents of compressed data, in which nothing of what the target compares is visible.
// The new contents are stored without compression, with their checksum.
func (s *Solver) packedEdits(log *Log, a input.Args, yield func(e Edit) bool) (more bool) {
	more = true
	if s.Without.Has(technique.Checksums) {
		return more
	}
	for arg := 0; arg < len(a) && more; arg++ {
		if !a[arg].Kind.IsBuffer() {
			continue
		}
		b := a[arg].Data
		data, head, ok := mutate.Unpack(&s.packer, b)
		if !ok {
			continue
		}
		inner, left := slices.Clone(a), maxPackedEdits
		inner[arg].Data = slices.Clone(data)
		s.search.begin(inner)
		s.allEdits(log, nil, inner, func(e Edit) bool {
			if e.Arg != arg {
				return true
			}
			edited := inner.Clone()
			if !e.Apply(edited, mutate.MaxStored) {
				return true
			}
			packed := mutate.Repack(b[:head], edited[arg].Data)
			e = Edit{Arg: arg, At: head, Len: len(b) - head, New: packed[head:], Resize: -1, Site: e.Site, Tight: true}
			left--
			more = yield(e)
			return more && left > 0
		})
	}
	return more
}
