// Package compare receives the operands of the comparisons that instrumented code makes.
//
// The compiler calls one of the functions below before each integer or string comparison of instrumented code. While
// no [Log] is recording they cost one load and one branch. Recording is switched on for single executions by the
// goroutine that runs the target; a hook that is called by another goroutine at that moment may lose a record, never
// more. The functions must be callable from any user code, so they neither allocate nor call anything but this package.
//
// What the compiler does not report comes from hooks in the standard library, by way of package hook: keys of maps that
// are looked up, texts that are searched for, texts that are read as numbers, offsets and sizes beyond what a reader has.
package compare

import "github.com/gnaw-fuzz/gnaw/internal/probe/hook"

// Op tells what kind of comparison a [Record] is.
type Op uint8

// The operations that the compiler reports, and those that are known from hooks in the standard library.
const (
	Int      Op = iota + 1 // both operands are variables
	ConstInt               // A is a constant of the program, or a key of a map in which B is looked up
	Str                    // two strings, or byte slices through string conversion and bytes.Equal
	Fold                   // strings.EqualFold, bytes.EqualFold
	Map                    // SB is a key of a map in which SA is looked up
	Needle                 // SA is searched for SB or ordered against it; an empty SA: SB may stand anywhere
	Number                 // SA is read as a number, and SB is another one
)

// Limits of one Log. 4096 records hold the log of a small input. A loop over a longer one compares more, and what comes
// behind it matters more than its last rounds: one place in the program has at most 128 records of integers. Strings are
// compared in loops over tables of words, of which each counts, so there is no such limit for them.
const (
	maxRecords = 4096
	maxOfSite  = 128
	maxOperand = 64 // bytes kept of a string operand
	arenaSize  = 64 << 10
	placeBits  = 13 // twice as many slots as there are records
	placeProbe = 8
)

// Record is one comparison. Integers are in A and B, zero-extended from Width bytes; strings are in SA and SB, cut to
// 64 bytes, and point into the Log: they are valid until the next [Log.Start].
type Record struct {
	Site   uint // identifies the place in the program
	Op     Op
	Width  uint8 // bytes of an integer operand
	A, B   uint64
	SA, SB []byte
}

// Log is a bounded record of comparisons. Its zero value is ready for use.
type Log struct {
	n       int
	used    int
	without Kind
	omit    *Usual // places that are not recorded; nil records all
	keys    int    // records of keys of maps
	numbers int    // records of numbers
	bounds  int    // records of offsets and sizes
	pairs   filter // what hooks in the standard library reported before
	needles filter // and of that, texts that were searched for
	places  [1 << placeBits]place
	session uint32 // of Start, so that places need not be cleared
	raw     [maxRecords]raw
	arena   [arenaSize]byte
	records [maxRecords]Record // made of raw and arena when somebody asks for them
	kept    int                // how many were recorded
	made    int                // how many of them are made
}

// raw is a record while recording goes on. A goroutine that the target has left behind may write to one at any time, also
// when somebody else does or reads it, so it has no pointers: a slice of which one half is old would point to nowhere.
type raw struct {
	site   uint
	a, b   uint64
	at     uint32 // where the strings are in the arena, one behind the other
	la, lb uint8  // their lengths
	op     Op
	width  uint8
}

// record returns what r says. Whatever that is, it does not reach beyond the arena.
//
//go:norace
func (l *Log) record(r *raw) Record {
	at, end := 0, 0
	if r.at <= arenaSize { // compared before it becomes an int, which may have 32 bits
		at = int(r.at)
		end = at + int(r.la) + int(r.lb)
	}
	if end > len(l.arena) {
		at, end = 0, 0
	}
	mid := min(at+int(r.la), end)
	rec := Record{Site: r.site, Op: r.op, Width: r.width, A: r.a, B: r.b}
	if r.width == 0 {
		rec.SA, rec.SB = l.arena[at:mid:mid], l.arena[mid:end:end]
	}
	return rec
}

// current is the log that records, nil if none does.
var current *Log

// Start empties l and records into it until [Log.Stop]. Only one Log can record at a time; Start replaces another.
//
//go:norace
func (l *Log) Start() {
	if current != nil {
		current.Stop()
	}
	l.n, l.used, l.keys, l.numbers, l.bounds, l.kept, l.made = 0, 0, 0, 0, 0, 0, 0
	l.pairs, l.needles = filter{}, filter{}
	l.session++
	current = l
	hook.Recording = true
}

// Stop ends the recording.
//
//go:norace
func (l *Log) Stop() {
	if current != l {
		return
	}
	hook.Recording = false
	current = nil
	l.kept, l.made = min(l.n, maxRecords), 0
}

// Records returns what was recorded between Start and Stop, in order. The slice belongs to l.
func (l *Log) Records() []Record {
	for ; l.made < l.kept; l.made++ {
		l.records[l.made] = l.record(&l.raw[l.made])
	}
	return l.records[:l.made]
}

// Full reports whether there was no room for all of it.
func (l *Log) Full() bool { return l.kept == maxRecords || l.used+2*maxOperand > arenaSize }

// Omit has the recordings from now on leave out the places that u knows; nil has them leave out none. The caller must not let
// u learn while l records.
func (l *Log) Omit(u *Usual) { l.omit = u }

// omits reports whether a place is left out.
//
//go:norace
func (l *Log) omits(site uint) bool {
	u := l.omit
	return u != nil && u.Has(site)
}

// The methods below read the fields of l once each: another goroutine may change them meanwhile.

//go:norace
func (l *Log) integer(op Op, width uint8, a, b uint64, site uint) {
	if !l.exhausted(site) {
		l.put(op, width, a, b, site)
	}
}

// put records integers of which a place may have any number.
//
//go:norace
func (l *Log) put(op Op, width uint8, a, b uint64, site uint) {
	n := l.n
	if n >= maxRecords || l.omits(site) {
		return
	}
	l.raw[n] = raw{site: site, op: op, width: width, a: a, b: b}
	l.n = n + 1
}

// place counts the records of one place in the program, in one recording.
type place struct {
	site    uint
	session uint32
	records uint32
}

// exhausted counts a record of integers of a place, and reports whether there are too many. One that finds no room to be
// counted is not limited.
//
//go:norace
func (l *Log) exhausted(site uint) bool {
	at := uint64(site) * 0x9e3779b97f4a7c15 >> (64 - placeBits) // a multiplicative hash
	for i := range uint64(placeProbe) {
		p := &l.places[(at+i)%(1<<placeBits)]
		if p.session != l.session {
			*p = place{site: site, session: l.session}
		}
		if p.site == site {
			p.records++
			return p.records > maxOfSite
		}
	}
	return false
}

//go:norace
func (l *Log) text(op Op, a, b string, site uint) {
	n, used := l.n, l.used
	a, b = a[:min(len(a), maxOperand)], b[:min(len(b), maxOperand)]
	if n >= maxRecords || used+len(a)+len(b) > arenaSize || l.omits(site) {
		return
	}
	l.keep(used, a)
	l.keep(used+len(a), b)
	l.raw[n] = raw{site: site, op: op, at: uint32(used), la: uint8(len(a)), lb: uint8(len(b))}
	l.n, l.used = n+1, used+len(a)+len(b)
}

// keep copies s, which may alias memory that the target changes later. It does so by hand, because the race detector
// sees what copy does.
//
//go:norace
func (l *Log) keep(at int, s string) {
	kept := l.arena[at : at+len(s)]
	for i := range kept {
		kept[i] = s[i]
	}
}

// Cmp1 is called before a comparison of two 8-bit integers.
//
//go:norace
func Cmp1(a, b uint8, site uint) {
	if l := current; l != nil {
		l.integer(Int, 1, uint64(a), uint64(b), site)
	}
}

// Cmp2 is called before a comparison of two 16-bit integers.
//
//go:norace
func Cmp2(a, b uint16, site uint) {
	if l := current; l != nil {
		l.integer(Int, 2, uint64(a), uint64(b), site)
	}
}

// Cmp4 is called before a comparison of two 32-bit integers.
//
//go:norace
func Cmp4(a, b uint32, site uint) {
	if l := current; l != nil {
		l.integer(Int, 4, uint64(a), uint64(b), site)
	}
}

// Cmp8 is called before a comparison of two 64-bit integers.
//
//go:norace
func Cmp8(a, b uint64, site uint) {
	if l := current; l != nil {
		l.integer(Int, 8, a, b, site)
	}
}

// ConstCmp1 is called before a comparison of an 8-bit integer b with the constant a.
//
//go:norace
func ConstCmp1(a, b uint8, site uint) {
	if l := current; l != nil {
		l.integer(ConstInt, 1, uint64(a), uint64(b), site)
	}
}

// ConstCmp2 is called before a comparison of a 16-bit integer b with the constant a.
//
//go:norace
func ConstCmp2(a, b uint16, site uint) {
	if l := current; l != nil {
		l.integer(ConstInt, 2, uint64(a), uint64(b), site)
	}
}

// ConstCmp4 is called before a comparison of a 32-bit integer b with the constant a.
//
//go:norace
func ConstCmp4(a, b uint32, site uint) {
	if l := current; l != nil {
		l.integer(ConstInt, 4, uint64(a), uint64(b), site)
	}
}

// ConstCmp8 is called before a comparison of a 64-bit integer b with the constant a.
//
//go:norace
func ConstCmp8(a, b uint64, site uint) {
	if l := current; l != nil {
		l.integer(ConstInt, 8, a, b, site)
	}
}

// StrCmp is called before a comparison of two strings.
//
//go:norace
func StrCmp(a, b string, site uint) {
	if l := current; l != nil {
		l.text(Str, a, b, site)
		l.binary(a, b, site)
	}
}

// binary records two strings of the length of an integer that are no text as one, too: checksums are compared so, in the
// byte order that is not that of the input as often as not. A checksum that is right may look like text by chance, so equal
// ones are recorded in any case. Like strings they have no limit for each place.
//
//go:norace
func (l *Log) binary(a, b string, site uint) {
	n := len(a)
	if n != len(b) || n != 2 && n != 4 && n != 8 {
		return
	}
	var x, y uint64
	text := true
	for i := range n {
		x, y = x<<8|uint64(a[i]), y<<8|uint64(b[i])
		text = text && a[i]-' ' < 0x7f-' ' && b[i]-' ' < 0x7f-' '
	}
	if !text || x == y && n >= 4 {
		l.put(Int, uint8(n), x, y, site^binarySite)
	}
}

// binarySite makes the place of an integer from that of the strings that it is read from.
const binarySite = ^(^uint(0) >> 1)

// EqualFold is called before strings.EqualFold.
//
//go:norace
func EqualFold(a, b string, site uint) {
	if l := current; l != nil {
		l.text(Fold, a, b, site)
	}
}
