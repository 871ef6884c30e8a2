package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// keyEdits lists what else is to be done about a key of a map than to put it in the place of what is looked up. A map may
// hold words of the input, and be asked for one of the program. And where a member of a JSON object is looked up, the
// members that it might have besides are the other keys.
func (t *Table) keyEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if len(p.WantText) == 0 {
		return true
	}
	t.reversed = Pair{
		SeenText: p.WantText, WantText: p.SeenText, Site: p.Site,
		twin: value{seenText: p.twin.wantText, wantText: p.twin.seenText, ok: p.twin.ok},
	}
	return t.textEdits(&t.reversed, at, yield) && (t.Without.Has(technique.JSON) || t.memberEdits(p, at, yield))
}

// memberValues are one of each type: which one the target wants does not show.
var memberValues = [...]string{`1`, `"1"`, `true`, `[]`, `{}`}

// memberEdits puts members with the wanted key before the one that was looked up, unless there is one.
func (t *Table) memberEdits(p *Pair, at place, yield func(e Edit) bool) bool {
	if nextMember(p.WantText, at.data, 0) >= 0 {
		return true
	}
	pos := nextMember(p.SeenText, at.data, 0)
	if pos < 0 {
		return true
	}
	e := Edit{Arg: at.arg, At: pos, Resize: -1, Site: p.Site, Tight: p.twinAt(at, pos+1)}
	if !t.wanted(e.Tight) {
		return true
	}
	for _, value := range memberValues {
		t.wantText = append(t.wantText[:0], '"')
		t.wantText = append(appendJSON(t.wantText, p.WantText), `":`...)
		t.wantText = append(append(t.wantText, value...), ',')
		if e.New = t.wantText; !t.emit(e, yield) {
			return false
		}
	}
	return true
}

// nextMember returns where the key of a member begins with its quote, from position from on; -1 if there is none.
func nextMember(key, b []byte, from int) int {
	for pos := nextText(key, b, from); pos >= 0; pos = nextText(key, b, pos+1) {
		end := pos + len(key)
		if pos == 0 || b[pos-1] != '"' || end == len(b) || b[end] != '"' {
			continue
		}
		for end++; end < len(b) && (b[end] == ' ' || b[end] == '\n' || b[end] == '\t' || b[end] == '\r'); {
			end++
		}
		if end < len(b) && b[end] == ':' {
			return pos - 1
		}
	}
	return -1
}

// maxTags is how many tags of records are remembered.
const maxTags = 32

// tagSize is the size of the tags in files that have chunks.
const tagSize = 4

// noteTag remembers what was compared with a word of the size of a tag: a switch over the tags of a format compares each
// one with a few others only.
func (t *Table) noteTag(p *Pair, at place) {
	if len(p.SeenText) != tagSize || len(p.WantText) != tagSize || len(t.tags) >= maxTags || t.Without.Has(technique.LengthFields) ||
		index(at.data, p.SeenText, 0) < 0 || index(at.data, p.WantText, 0) >= 0 {
		return
	}
	for _, tag := range t.tags {
		if string(tag) == string(p.WantText) {
			return
		}
	}
	t.tags = append(t.tags, append([]byte(nil), p.WantText...))
}

// Tags returns how many tags are known.
func (t *Table) Tags() int { return len(t.tags) }

// TagEdits lists for any input what Edits lists for records with other tags: those that are known, but the first ones.
func (t *Table) TagEdits(a input.Args, first int, yield func(e Edit) bool) {
	t.random, t.pass = false, passAll
	t.begin(a)
	t.recordEdits(a, first, yield)
}

// recordEdits puts records with other tags, those of all entries, before each of a sequence, with the same data: a format
// has chunks that a file has not.
func (t *Table) recordEdits(a input.Args, first int, yield func(e Edit) bool) (more bool) {
	more = true
	for arg := range a {
		if len(t.tags) == 0 || !a[arg].Kind.IsBuffer() {
			continue
		}
		mutate.Records(a[arg].Data, tagSize, func(lo, tag, hi int) bool {
			for _, other := range t.tags[min(first, len(t.tags)):] {
				if more = t.emit(t.recordEdit(a, arg, other, lo, tag, hi), yield); !more {
					return false
				}
			}
			return true
		})
	}
	return more
}

func (t *Table) recordEdit(a input.Args, arg int, other []byte, lo, tag, hi int) Edit {
	b := a[arg].Data
	t.wantText = append(append(t.wantText[:0], b[lo:tag]...), other...)
	t.wantText = append(t.wantText, b[tag+tagSize:hi]...)
	return Edit{Arg: arg, At: lo, New: t.wantText, Resize: -1, Tight: true}
}

// randomRecord makes a random one of these.
func (t *Table) randomRecord(r *mutate.Rand, a input.Args, maxLen int) bool {
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
	e := t.recordEdit(a, arg, t.tags[r.Intn(len(t.tags))], at, tagAt, end)
	return e.Apply(a, maxLen)
}
