// Package compare receives the operands of the comparisons that instrumented code makes.
//
// The compiler calls one of the hooks, [Cmp1] to [EqualFold], before each integer or string comparison of instrumented
// code. While no [Log] is recording they cost one load and one branch. Recording is switched on for single executions by
// the goroutine that runs the target; a hook that another goroutine calls at that time may lose a record, never
// more.
//
// A hook must not be a safe point: the compiler calls it where the caller's stack map may be incomplete. For example, a
// range loop over a slice holds the address of the next element in a uintptr until its condition has been evaluated, and
// the condition calls a hook. If the garbage collector scanned the stack there, or the stack moved, the loop would go on
// with memory that is freed. So the hooks and all that they call, in hooks.go and record.go, are marked go:nosplit: they
// have no stack check, the runtime does not preempt them by a signal, and they call nothing else. They do not allocate,
// lock or write pointers. Their frames together stay far below the 800 bytes that the linker allows, also without
// optimization.
//
// What the compiler does not report comes from hooks in the standard library, by way of package hook: keys of maps that
// are looked up, texts that are searched for, texts that are read as numbers, offsets and sizes beyond what a reader has.
package compare

import "github.com/gnaw-fuzz/gnaw/internal/probe/hook"

// Op is the kind of comparison of a [Record].
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
	kept    int                // how many were recorded, without those of addresses
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
	l.kept, l.made = dropAddresses(l.raw[:min(l.n, maxRecords)]), 0
}

// Records returns what was recorded between Start and Stop, in order, without comparisons of addresses. The slice belongs to l.
func (l *Log) Records() []Record {
	for ; l.made < l.kept; l.made++ {
		l.records[l.made] = l.record(&l.raw[l.made])
	}
	return l.records[:l.made]
}

// Full reports whether there was no room for all of it.
func (l *Log) Full() bool { return l.n >= maxRecords || l.used+2*maxOperand > arenaSize }

// Omit has the recordings from now on leave out the places that u knows; nil has them leave out none. The caller must not let
// u learn while l records.
func (l *Log) Omit(u *Usual) { l.omit = u }
