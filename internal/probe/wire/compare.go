package wire

import "github.com/gnaw-fuzz/gnaw/internal/probe/compare"

// Compare asks the worker to execute one input and record its comparisons. The answer is Compared. The test binary is one that
// build.Builder.Placed builds.
type Compare struct {
	Input []byte // packed
}

func (m *Compare) walk(c *codec) { c.bytes(&m.Input) }

func (m Compare) encode(c *codec) Type { m.walk(c); return TypeCompare }

// DecodeCompare decodes the payload of a Compare.
func DecodeCompare(b []byte) (Compare, error) { return decode(b, (*Compare).walk) }

// Compared contains the comparisons of one input. If there are more than a [compare.Log] can hold, the rest is missing.
type Compared struct {
	Sites []Site       // the sites that earlier messages of the process do not contain
	List  []Comparison // in the order of execution
}

// Site is a place of the program at which comparisons are made.
type Site struct {
	ID     uint64
	Stack  bool    // Frames is a call stack; false: it is the line that compares, and the inlined calls that contain it
	Frames []Frame // the innermost call first; outer calls may be missing
}

// Frame is a call.
type Frame struct {
	Function string // name with the import path of the package
	File     string // path that the compiler recorded
	Line     int    // line in the file; of a caller, the line of the call
}

// Comparison is a [compare.Record].
type Comparison struct {
	Site   uint64 // ID of a Site
	Op     compare.Op
	Width  uint8  // bytes of an integer; 0: the operands are SA and SB
	A, B   uint64 // integers
	SA, SB []byte // strings; at most the first 64 bytes
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
