package solve

import (
	"slices"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// maxPackedEdits is how many edits are made inside of compressed data.
const maxPackedEdits = 512

// packedEdits lists the edits of what is inside of compressed data, where nothing that the target compares stands as it is.
// The file gets new contents that are not compressed, with a checksum that is right.
func (t *Table) packedEdits(a input.Args, yield func(e Edit) bool) (more bool) {
	more = true
	if t.Without.Has(technique.Checksums) {
		return more
	}
	defer func(variants []variant) { t.variants = variants }(t.variants)
	t.variants, t.pass = nil, passAll
	for arg := 0; arg < len(a) && more; arg++ {
		if !a[arg].Kind.IsBuffer() {
			continue
		}
		b := a[arg].Data
		data, head, ok := mutate.Unpack(&t.packer, b)
		if !ok {
			continue
		}
		inner, left := slices.Clone(a), maxPackedEdits
		inner[arg].Data = slices.Clone(data)
		t.begin(inner)
		t.allEdits(inner, func(e Edit) bool {
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
