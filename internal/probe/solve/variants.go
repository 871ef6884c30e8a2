package solve

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
)

// variant is another input that takes the same path.
type variant struct {
	args   input.Args
	values []value // one for each pair
	length int     // argument of which the length differs; -1: no length differs
}

// Varied reports whether there are variants.
func (l *Log) Varied() bool { return len(l.variants) > 0 }

// Repeat compares the Log with the comparisons of another execution of the same entry. It must come before any variant. A
// value that differs is an address, a time or a random number, since the compiler makes copies of memory compare addresses
// too. No field is changed for such a value.
func (l *Log) Repeat(records []compare.Record) {
	of := bySite(records)
	for i := range l.pairs {
		p := &l.pairs[i]
		if list := of[p.Site]; p.nth < len(list) && p.Width > 0 {
			v := p.valueOf(&records[list[p.nth]])
			p.unstable = v.ok && (v.seen != p.Seen || v.want != p.Want)
		}
	}
}

// Vary adds what a variant of the entry compared: an input that takes the same path, with other bytes where they make no
// difference. The first variant decides which matches are coincidences. The Log keeps no reference to the arguments.
func (l *Log) Vary(a input.Args, records []compare.Record) { l.vary(a, records, -1) }

// VaryLength adds what a variant compared in which the buffer arg has another length. It does nothing if there is no variant
// of the same length.
func (l *Log) VaryLength(a input.Args, records []compare.Record, arg int) { l.vary(a, records, arg) }

func (l *Log) vary(a input.Args, records []compare.Record, length int) {
	if length >= 0 && len(l.variants) == 0 {
		return
	}
	of := bySite(records)
	v := variant{args: a.Clone(), values: make([]value, len(l.pairs)), length: length}
	for i := range l.pairs {
		p := &l.pairs[i]
		if list := of[p.Site]; p.nth < len(list) {
			v.values[i] = p.valueOf(&records[list[p.nth]])
		}
		if len(l.variants) == 0 {
			p.twin = v.values[i]
		}
	}
	l.variants = append(l.variants, v)
}

// bySite returns the indexes of the records of each place.
func bySite(records []compare.Record) map[uint][]int {
	of := map[uint][]int{}
	for i := range records {
		of[records[i].Site] = append(of[records[i].Site], i)
	}
	return of
}
