// Package oracle measures executions that pass: whether they allocate too much memory for their input, leave goroutines behind,
// change or keep the memory of their arguments, or take time that grows faster than the input.
//
// Each oracle has a file with its registration, an Oracle, and its measurement. Names, flags, help, kinds of findings and reports
// derive from the registrations. The package does not know targets, corpus or coverage: a Runner executes the input.
package oracle

import (
	"math/bits"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Oracle is the registration of one oracle.
type Oracle struct {
	Name    string // in -oracles; also the name of the kind of its findings
	Meaning string // what a finding means, as a report shows it; empty: findings are failures of the other kinds
	Limit   Limit  // zero: there is none

	// Timed oracles measure how long executions take. They take several times as long as the others, so the
	// coordinator has them measure alone and less often; a repeatable run, which has no clock, leaves them out.
	Timed bool

	measure func(m *Measurement)                         // executes the input and reports; nil: observe does
	observe func(m *Measurement, given, left input.Args) // looks at the arguments after each execution; may be nil
	locate  func(m *Measurement)                         // reports the place of a finding; may end the process; nil: reports have it
}

// Limit is where the findings of an oracle begin.
type Limit struct {
	Unit    Unit
	Default uint64 // on the fuzz targets of the standard library it is not reached; what reaches it can stop a service
	Fast    uint64 // a lower limit for a first measurement beside fuzzing; 0: the same. A confirmation uses the real one
}

// Unit is the unit of a limit.
type Unit uint8

// The units.
const (
	NoUnit      Unit = iota // there is no limit
	Bytes                   // a size
	Nanoseconds             // a duration
)

// Set is a set of oracles.
type Set uint64

// The oracles, in the order of the table.
const (
	Alloc  Set = 1 << iota // allocation out of proportion to the input
	Growth                 // time that grows faster than the input
	Leak                   // goroutines that stay when the target has returned
	Modify                 // writes into the memory of an argument
	Keep                   // keeps the memory of an argument
	Flaky                  // another result for the same input

	All   Set = 1<<iota - 1 // every oracle
	count     = iota - 1    // how many there are
)

// table has the registrations. Of the oracles that are not Timed the cheap ones come first.
var table = [count]Oracle{alloc, growth, leak, modify, keep, flaky}

// Names lists the names of the oracles of s, in the order of the table.
func (s Set) Names() (names []string) {
	for _, o := range s.Each() {
		names = append(names, o.Name)
	}
	return names
}

// Each yields the oracles of s, each as a set and with its registration, in the order of the table.
func (s Set) Each() func(yield func(Set, Oracle) bool) {
	return func(yield func(Set, Oracle) bool) {
		for i, o := range table {
			if one := Set(1) << i; s.Has(one) && !yield(one, o) {
				return
			}
		}
	}
}

// Named returns the oracle with a name.
func Named(name string) (one Set, o Oracle, ok bool) {
	for one, o := range All.Each() {
		if o.Name == name {
			return one, o, true
		}
	}
	return 0, o, false
}

// Reporting returns the oracles of s that make reports. The others have inputs fail.
func (s Set) Reporting() (reporting Set) {
	for one, o := range s.Each() {
		if o.Meaning != "" {
			reporting |= one
		}
	}
	return reporting
}

// Timed returns the oracles of s that measure time.
func (s Set) Timed() (timed Set) {
	for one, o := range s.Each() {
		if o.Timed {
			timed |= one
		}
	}
	return timed
}

// Located returns the oracles of s whose reports lack the place, which a measurement with Request.Locate finds.
func (s Set) Located() (located Set) {
	for one, o := range s.Each() {
		if o.locate != nil {
			located |= one
		}
	}
	return located
}

// Has reports whether all of t are in s.
func (s Set) Has(t Set) bool { return s&t == t }

// String names the oracles of the set.
func (s Set) String() string { return strings.Join(s.Names(), ",") }

// Limits says which oracles are asked, and where what they look for begins.
type Limits struct {
	On     Set
	Values [count]uint64 // the limit of each oracle, in its unit, in the order of the table
}

// Defaults are all oracles with their default limits.
func Defaults() Limits {
	l := Limits{On: All}
	for i, o := range table {
		l.Values[i] = o.Limit.Default
	}
	return l
}

// Of returns the limit of one oracle, in its unit.
func (l Limits) Of(one Set) uint64 { return l.Values[bits.TrailingZeros64(uint64(one))] }

// Time returns the limit of one oracle whose unit is Nanoseconds.
func (l Limits) Time(one Set) time.Duration { return time.Duration(l.Of(one)) }

// Set changes the limit of one oracle.
func (l *Limits) Set(one Set, limit uint64) { l.Values[bits.TrailingZeros64(uint64(one))] = limit }

// Fast returns limits for a first measurement beside fuzzing, of some oracles.
func (l Limits) Fast(on Set) Limits {
	l.On = on
	for i, o := range table {
		if o.Limit.Fast > 0 {
			l.Values[i] = min(l.Values[i], o.Limit.Fast)
		}
	}
	return l
}
