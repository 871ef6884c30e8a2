package compare

import (
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// Kind is a set of what hooks in the standard library report.
type Kind uint8

// The kinds, which can be switched off by [Log.Without].
const (
	Keys    Kind = 1 << iota // keys of maps
	Needles                  // operands of strings.Index, bytes.Compare and the like
	Numbers                  // texts that are read as numbers
	Bounds                   // offsets and sizes beyond what a reader has
)

const (
	// maxKeys and maxNumbers are how many records of a Log may be keys of maps and numbers. Package solve keeps 384
	// pairs; a program that looks up words in large tables must not crowd out the rest.
	maxKeys    = 192
	maxNumbers = 48
	// maxBounds is the same for offsets and sizes: most programs give up after the first that is wrong.
	maxBounds = 16
	// maxRepeats is how often a needle is recorded: a loop looks for the same one in each line.
	maxRepeats = 4
	// minNeedle is the length of the shortest needle that random mutation would not find as well.
	minNeedle = 2
)

// numbers are what a text that is read as a number is replaced by: the values that programs forget.
var numbers = [...]string{
	"-1", "-0", "0.5", "9223372036854775808", "1e400", "NaN",
}

func init() {
	hook.Listener.Key, hook.Listener.IntKey = mapKey, intMapKey
	hook.Listener.Needle, hook.Listener.Compare, hook.Listener.Fold = needle, ordered, folded
	hook.Listener.Number, hook.Listener.Bound = number, bound
}

// Without makes l drop what hooks in the standard library report of the kinds k.
func (l *Log) Without(k Kind) { l.without = k }

// filter knows roughly how often something was met, by hash. Hashes that collide replace each other.
type filter [256]struct {
	hash  uint64
	times uint8
}

// met returns how often something was met before, and counts.
//
//go:norace
func (f *filter) met(hash uint64) uint8 {
	e := &f[(hash^hash>>32)%uint64(len(f))]
	if e.hash != hash {
		e.hash, e.times = hash, 0
	}
	before := e.times
	e.times = max(before, before+1) // does not wrap
	return before
}

// hash is FNV-1a of the part of s that is recorded, starting at h.
//
//go:norace
func hash(h uint64, s string) uint64 {
	h ^= 14695981039346656037
	for i := range min(len(s), maxOperand) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// overlooked are texts whose lookups are not recorded.
var overlooked [3]*byte

// Overlook has lookups of three texts by the machinery itself, on a goroutine of its own, stay out of every log: a recording would
// depend on when that goroutine runs. Only these copies of the texts are meant; those of the target are recorded. It must be
// called before the first recording.
func Overlook(texts [3]string) {
	for i, text := range texts {
		overlooked[i] = unsafe.StringData(text)
	}
}

//go:norace
func overlooks(text *byte) bool {
	return text == overlooked[0] || text == overlooked[1] || text == overlooked[2]
}

// mapKey records a key of a map in which seen is looked up. Each text that is looked up counts as a place of its own, as
// the texts of an input that one statement looks up want different keys.
//
//go:norace
func mapKey(seen, key string, site uint) {
	l := current
	if l == nil || l.without&Keys != 0 || l.keys >= maxKeys || overlooks(unsafe.StringData(seen)) {
		return
	}
	place := hash(uint64(site), seen)
	if !l.omits(uint(place)) && l.pairs.met(hash(place, key)) == 0 {
		l.keys++
		l.text(Map, seen, key, uint(place))
	}
}

// intMapKey records a key of a map in which seen is looked up. Each one is a place of its own: keys that follow each
// other are no loop.
//
//go:norace
func intMapKey(seen, key uint64, width uint8, site uint) {
	l := current
	if l == nil || l.without&Keys != 0 || l.keys >= maxKeys || width == 8 && (isAddress(seen) || isAddress(key)) {
		return
	}
	place := (uint64(site)^seen*0x9e3779b97f4a7c15)*0xbf58476d1ce4e5b9 + key
	if !l.omits(uint(place)) && l.pairs.met(place) == 0 {
		l.keys++
		integer(ConstInt|Op(width)<<widthShift, key, seen, uint(place))
	}
}

// needle records that text is searched for sought, so that it is put in the place of the text, and anywhere.
//
//go:norace
func needle(text, sought string) {
	l := current
	if l == nil || l.without&Needles != 0 || len(sought) < minNeedle || len(sought) > maxOperand {
		return
	}
	place := hash(1, sought)
	n := l.needles.met(place)
	if n == 0 {
		l.text(Needle, "", sought, uint(place))
	}
	if n < maxRepeats && len(text) > 0 && l.pairs.met(hash(place, text)) == 0 {
		l.text(Needle, text, sought, uint(place))
	}
}

// ordered records a comparison by bytes.Compare or strings.Compare.
//
//go:norace
func ordered(a, b string) { pair(Needle, a, b) }

// folded records a comparison without regard to case.
//
//go:norace
func folded(a, b string) { pair(Fold, a, b) }

//go:norace
func pair(op Op, a, b string) {
	l := current
	if l == nil || l.without&Needles != 0 {
		return
	}
	if l.pairs.met(hash(hash(uint64(op), a), b)) == 0 {
		l.text(op, a, b, uint(op))
		if op == Needle {
			l.binary(a, b, uint(op))
		}
	}
}

// number records that a text is read as a number. Comparisons of floating-point numbers are invisible, so that the place
// of a number in the input is known from here only.
//
//go:norace
func number(text string) {
	l := current
	if l == nil || l.without&Numbers != 0 || l.numbers >= maxNumbers || len(text) == 0 || len(text) > maxOperand {
		return
	}
	place := hash(2, text)
	if l.omits(uint(place)) || l.pairs.met(place) > 0 {
		return
	}
	for _, other := range numbers {
		l.numbers++
		l.text(Number, text, other, uint(place))
	}
}

// bound records that a reader is asked for more than it has, or for what is behind its end: the offset or size should be
// what is there.
//
//go:norace
func bound(wanted, there int64) {
	l := current
	if l == nil || l.without&Bounds != 0 || l.bounds >= maxBounds {
		return
	}
	place := hash(3, "") ^ uint64(wanted)*0x9e3779b97f4a7c15 ^ uint64(there)
	if !l.omits(uint(place)) && l.pairs.met(place) == 0 {
		l.bounds++
		integer(ConstInt|8<<widthShift, uint64(there), uint64(wanted), uint(place))
	}
}
