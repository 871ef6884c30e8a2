package wire

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Examine asks to execute an input with measurements around it, answered by any number of Failed and one Examined.
type Examine struct {
	Input  []byte // packed
	Limits oracle.Limits
	Piece  oracle.Piece // for the oracle of growth: what to repeat; zero: look for something
	Locate bool         // find the place that writes to an argument, which may end the process
}

func (Examine) kind() Type { return TypeExamine }

func (m Examine) encode(e *encoder) {
	e.bytes(m.Input)
	e.uint(uint64(m.Limits.On))
	e.uint(m.Limits.Alloc)
	e.uint(uint64(m.Limits.Slow))
	e.uint(uint64(m.Limits.Patience))
	e.piece(m.Piece)
	e.bool(m.Locate)
}

// DecodeExamine decodes the payload of an Examine.
func DecodeExamine(b []byte) (m Examine, err error) {
	d := decoder{b: b}
	m.Input = d.bytes()
	m.Limits.On, m.Limits.Alloc = oracle.Set(d.uint()), d.uint()
	m.Limits.Slow, m.Limits.Patience = time.Duration(d.uint()), time.Duration(d.uint())
	m.Piece, m.Locate = d.piece(), d.bool()
	return m, d.end()
}

// Examined is what the oracles said.
type Examined struct {
	Execs   uint64 // executions made
	Nanos   uint64 // time that they took together, in nanoseconds
	Reports []oracle.Report
}

func (Examined) kind() Type { return TypeExamined }

func (m Examined) encode(e *encoder) {
	e.uint(m.Execs)
	e.uint(m.Nanos)
	e.uint(uint64(len(m.Reports)))
	for _, r := range m.Reports {
		e.uint(uint64(r.Oracle))
		e.string(r.Message)
		e.string(r.Detail)
		e.piece(r.Piece)
		e.uint(uint64(r.Copies))
	}
}

// DecodeExamined decodes the payload of an Examined.
func DecodeExamined(b []byte) (m Examined, err error) {
	d := decoder{b: b}
	m.Execs, m.Nanos = d.uint(), d.uint()
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		r := oracle.Report{Oracle: oracle.Set(d.uint())}
		r.Message, r.Detail, r.Piece, r.Copies = d.string(), d.string(), d.piece(), int(d.uint())
		m.Reports = append(m.Reports, r)
	}
	return m, d.end()
}

func (e *encoder) piece(p oracle.Piece) {
	for _, n := range [...]int{p.Arg, p.From, p.To, p.CloseFrom, p.CloseTo} {
		e.uint(uint64(n))
	}
}

func (d *decoder) piece() (p oracle.Piece) {
	for _, n := range [...]*int{&p.Arg, &p.From, &p.To, &p.CloseFrom, &p.CloseTo} {
		*n = d.int()
	}
	return p
}
