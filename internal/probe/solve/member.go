package solve

import "github.com/gnaw-fuzz/gnaw/internal/probe/technique"

// keyEdits lists what a key of a map suggests besides putting it in the place of the word that is looked up. The map may
// hold words of the input, and the program may look up one of its own. And if the target looks up a member of a JSON
// object, other keys may be members that the object lacks.
func (s *search) keyEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if len(p.WantText) == 0 {
		return true
	}
	s.reversed = pair{
		SeenText: p.WantText, WantText: p.SeenText, Site: p.Site,
		twin: value{seenText: p.twin.wantText, wantText: p.twin.seenText, ok: p.twin.ok},
	}
	return s.textEdits(&s.reversed, at, yield) && (s.without.Has(technique.JSON) || s.memberEdits(p, at, yield))
}

// memberValues has one value of each type: a comparison does not show which one the target wants.
var memberValues = [...]string{`1`, `"1"`, `true`, `[]`, `{}`}

// memberEdits inserts members with the wanted key before the one that was looked up, unless there is such a member.
func (s *search) memberEdits(p *pair, at place, yield func(e Edit) bool) bool {
	if nextMember(p.WantText, at.data, 0) >= 0 {
		return true
	}
	pos := nextMember(p.SeenText, at.data, 0)
	if pos < 0 {
		return true
	}
	e := Edit{Arg: at.arg, At: pos, Resize: -1, Site: p.Site, Tight: p.twinAt(at, pos+1)}
	if !s.wanted(e.Tight) {
		return true
	}
	for _, value := range memberValues {
		s.wantText = append(s.wantText[:0], '"')
		s.wantText = append(appendJSON(s.wantText, p.WantText), `":`...)
		s.wantText = append(append(s.wantText, value...), ',')
		if e.New = s.wantText; !s.emit(e, yield) {
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
