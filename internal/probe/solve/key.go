package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

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
