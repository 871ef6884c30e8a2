package wire

import (
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Measure asks to execute an input with measurements around it, answered by any number of Failed and one Measured.
type Measure struct {
	Input  []byte // packed
	Limits oracle.Limits
	Piece  oracle.Piece // for an oracle that measures time: what to repeat; zero: look for something
	Locate bool         // find the place of what the oracles report, which may end the process
}

func (m *Measure) walk(c *codec) {
	c.bytes(&m.Input)
	number(c, &m.Limits.On)
	for i := range m.Limits.Values {
		number(c, &m.Limits.Values[i])
	}
	walkPiece(c, &m.Piece)
	c.bool(&m.Locate)
}

func (m Measure) encode(c *codec) Type { m.walk(c); return TypeMeasure }

// DecodeMeasure decodes the payload of an Measure.
func DecodeMeasure(b []byte) (Measure, error) { return decode(b, (*Measure).walk) }

// Measured is what the oracles found.
type Measured struct {
	Execs   uint64 // executions made
	Nanos   uint64 // time that they took together, in nanoseconds
	Reports []oracle.Report
}

func (m *Measured) walk(c *codec) {
	number(c, &m.Execs)
	number(c, &m.Nanos)
	list(c, &m.Reports, walkReport)
}

func (m Measured) encode(c *codec) Type { m.walk(c); return TypeMeasured }

// DecodeMeasured decodes the payload of an Measured.
func DecodeMeasured(b []byte) (Measured, error) { return decode(b, (*Measured).walk) }

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
