package wire

import "github.com/gnaw-fuzz/gnaw/internal/probe/compare"

// Compare asks for one execution with comparisons recorded, answered by Compared. The binary is one that build.Builder.Placed has built.
type Compare struct {
	Input []byte // packed
}

func (m *Compare) walk(c *codec) { c.bytes(&m.Input) }

func (m Compare) encode(c *codec) Type { m.walk(c); return TypeCompare }

// DecodeCompare decodes the payload of a Compare.
func DecodeCompare(b []byte) (Compare, error) { return decode(b, (*Compare).walk) }

// Compared is what an input compares, in order, as far as a [compare.Log] has room.
type Compared struct {
	Sites []Site // that no message before had
	List  []Comparison
}

// Site is a place in the program that compares.
type Site struct {
	ID     uint64
	Stack  bool    // Frames are the calls that led there; false: the line and the calls of functions that are inlined there
	Frames []Frame // the innermost first; the outermost may be missing
}

// Frame is a call.
type Frame struct {
	Function string // with the import path of its package
	File     string // as the compiler knows it
	Line     int
}

// Comparison is a [compare.Record]. Integers have a width, in bytes.
type Comparison struct {
	Site   uint64
	Op     compare.Op
	Width  uint8
	A, B   uint64
	SA, SB []byte // cut to 64 bytes
}

func (m *Compared) walk(c *codec) {
	list(c, &m.Sites, walkSite)
	list(c, &m.List, walkComparison)
}

func walkSite(c *codec, s *Site) {
	number(c, &s.ID)
	c.bool(&s.Stack)
	list(c, &s.Frames, walkFrame)
}

func walkFrame(c *codec, f *Frame) {
	c.string(&f.Function)
	c.string(&f.File)
	c.count(&f.Line)
}

func walkComparison(c *codec, r *Comparison) {
	number(c, &r.Site)
	number(c, &r.Op)
	number(c, &r.Width)
	number(c, &r.A)
	number(c, &r.B)
	c.bytes(&r.SA)
	c.bytes(&r.SB)
}

func (m Compared) encode(c *codec) Type { m.walk(c); return TypeCompared }

// DecodeCompared decodes the payload of a Compared.
func DecodeCompared(b []byte) (Compared, error) { return decode(b, (*Compared).walk) }
