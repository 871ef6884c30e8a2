package wire

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Examine asks to execute an input with measurements around it, answered by any number of Failed and one Examined.
type Examine struct {
	Input  []byte // packed
	Limits oracle.Limits
	Piece  oracle.Piece // for the oracle of growth: what to repeat; zero: look for something
	Locate bool         // find the place that writes to an argument, which may end the process
}

func (m *Examine) walk(c *codec) {
	c.bytes(&m.Input)
	number(c, &m.Limits.On)
	number(c, &m.Limits.Alloc)
	number(c, &m.Limits.Slow)
	number(c, &m.Limits.Patience)
	walkPiece(c, &m.Piece)
	c.bool(&m.Locate)
}

func (m Examine) encode(c *codec) Type { m.walk(c); return TypeExamine }

// DecodeExamine decodes the payload of an Examine.
func DecodeExamine(b []byte) (Examine, error) { return decode(b, (*Examine).walk) }

// Examined is what the oracles said.
type Examined struct {
	Execs   uint64 // executions made
	Nanos   uint64 // time that they took together, in nanoseconds
	Reports []oracle.Report
}

func (m *Examined) walk(c *codec) {
	number(c, &m.Execs)
	number(c, &m.Nanos)
	list(c, &m.Reports, walkReport)
}

func (m Examined) encode(c *codec) Type { m.walk(c); return TypeExamined }

// DecodeExamined decodes the payload of an Examined.
func DecodeExamined(b []byte) (Examined, error) { return decode(b, (*Examined).walk) }

func walkReport(c *codec, r *oracle.Report) {
	number(c, &r.Oracle)
	c.string(&r.Message)
	c.string(&r.Detail)
	walkPiece(c, &r.Piece)
	c.count(&r.Copies)
}

func walkPiece(c *codec, p *oracle.Piece) {
	c.count(&p.Arg)
	c.count(&p.From)
	c.count(&p.To)
	c.count(&p.CloseFrom)
	c.count(&p.CloseTo)
}
