package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// maxTags is how many tags are remembered.
const maxTags = 32

// tagSize is the size of the tags in files that have chunks.
const tagSize = 4

// tags are the tags of records that the target compares: words of the size of a tag, as in files that have chunks.
type tags struct {
	list [][]byte
	text []byte // of a record that is made
}

// note remembers what was compared with a word of the size of a tag that is in the input: a switch over the tags of a
// format compares each one with a few others only.
func (t *tags) note(p *pair, at place) {
	if len(p.SeenText) != tagSize || len(p.WantText) != tagSize || len(t.list) >= maxTags ||
		index(at.data, p.SeenText, 0) < 0 || index(at.data, p.WantText, 0) >= 0 {
		return
	}
	for _, tag := range t.list {
		if string(tag) == string(p.WantText) {
			return
		}
	}
	t.list = append(t.list, append([]byte(nil), p.WantText...))
}

// edits inserts before each record of a sequence a copy of it with another tag, one for each tag but the first ones: a
// format has chunks that a file does not have. It reports whether yield wants more.
func (t *tags) edits(s *search, a input.Args, first int, yield func(e Edit) bool) (more bool) {
	more = true
	for arg := range a {
		if len(t.list) == 0 || !a[arg].Kind.IsBuffer() {
			continue
		}
		mutate.Records(a[arg].Data, tagSize, func(lo, tag, hi int) bool {
			for _, other := range t.list[min(first, len(t.list)):] {
				if more = s.emit(t.edit(a, arg, other, lo, tag, hi), yield); !more {
					return false
				}
			}
			return true
		})
	}
	return more
}

// edit inserts before the record at lo, which has its tag at tag and ends at hi, a copy of it with another tag.
func (t *tags) edit(a input.Args, arg int, other []byte, lo, tag, hi int) Edit {
	b := a[arg].Data
	t.text = append(append(t.text[:0], b[lo:tag]...), other...)
	t.text = append(t.text, b[tag+tagSize:hi]...)
	return Edit{Arg: arg, At: lo, New: t.text, Resize: -1, Tight: true}
}

// random makes a random one of these edits. It reports false, and changes nothing, if there are none.
func (t *tags) random(r *mutate.Rand, a input.Args, maxLen int) bool {
	arg := r.Intn(len(a))
	n, at, tagAt, end := 0, 0, 0, 0
	mutate.Records(a[arg].Data, tagSize, func(lo, tag, hi int) bool {
		if n++; r.Intn(n) == 0 {
			at, tagAt, end = lo, tag, hi
		}
		return true
	})
	if n == 0 {
		return false
	}
	e := t.edit(a, arg, t.list[r.Intn(len(t.list))], at, tagAt, end)
	return e.Apply(a, maxLen)
}
