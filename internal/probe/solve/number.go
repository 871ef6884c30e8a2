package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// numberEdits replaces a number that was compared, as it is or after a conversion to another width.
func (s *search) numberEdits(p *pair, v, twin *input.Value, arg int, yield func(e Edit) bool) bool {
	if !p.fromNumber(v, p.Seen) {
		return true
	}
	tight := twin != nil && p.twin.ok && p.fromNumber(twin, p.twin.seen)
	if !s.wanted(tight) {
		return true
	}
	mask := widthMask(p.Width)
	for _, want := range p.wants() {
		e := Edit{Arg: arg, Resize: -1, Site: p.Site, Tight: tight}
		if v.Kind == input.Float32 || v.Kind == input.Float64 {
			if e.Bits = p.floatFor(v, want); e.Bits != v.Bits && !s.emit(e, yield) {
				return false
			}
			continue
		}
		// The high bits of a number that is wider than the comparison stay.
		e.Bits = mutate.Normalize(v.Kind, v.Bits&^mask|want)
		if e.Bits != v.Bits && !s.emit(e, yield) {
			return false
		}
		e.Bits = mutate.Normalize(v.Kind, signExtend(want, p.Width))
		if e.Bits != v.Bits && !s.emit(e, yield) {
			return false
		}
	}
	return true
}
