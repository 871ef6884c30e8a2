package finding

import (
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// Measure is what an oracle looked for: with it, what it saw can be measured again.
type Measure struct {
	// Limit is the limit of the oracle: for alloc, the bytes that one execution may allocate; for growth, the
	// nanoseconds that one execution may take whose time grows too fast; for leak, the nanoseconds that a goroutine may
	// outlive its execution; 0: the oracle has none.
	Limit uint64 `json:"limit"`
	Piece Piece  `json:"piece"` // of the input that was repeated, if its time grows too fast
	// Cost is what that costs in plain go test; nil: it was not measured.
	Cost *Cost `json:"cost,omitempty"`
}

// Cost is how long one execution takes without instrumentation with an input of which a piece was repeated, and how that grows.
type Cost struct {
	Copies int           `json:"copies"` // of the piece
	Size   int           `json:"size"`   // of the input in bytes
	Took   time.Duration `json:"took"`   // nanoseconds
	Power  float64       `json:"power"`  // of the size that the time follows
}

// Piece is a part of an input that was repeated: bytes From to To of argument Arg, which is counted from 0, and as many
// times CloseFrom to CloseTo, if that is not empty.
type Piece struct {
	Arg       int `json:"argument"`
	From      int `json:"from"`
	To        int `json:"to"`
	CloseFrom int `json:"close_from"`
	CloseTo   int `json:"close_to"`
}

// Measured reports whether only an oracle sees a failure of this kind: plain go test passes with its input.
func (k Kind) Measured() bool { return k > Memory }

// HasMeasure reports whether the record says what the oracle of its kind looked for. One that another version of gnaw has written may
// lack the limit.
func (r Record) HasMeasure() bool {
	_, o, ok := oracle.Named(r.Kind.String())
	return ok && r.Measure != nil && (r.Measure.Limit > 0 || o.Limit.Unit == oracle.NoUnit)
}

// Stack writes calls as the runtime prints a stack, for output from which they are to be read again.
func Stack(calls []Call) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", c.Func, c.File, c.Line)
	}
	return b.String()
}

// leaked returns the frames of a goroutine that stayed, the function that started it last.
func leaked(lines []string) []Call {
	calls := stack(lines)
	for i := 0; i+1 < len(lines); i++ {
		name, ok := strings.CutPrefix(strings.TrimSpace(lines[i]), "created by ")
		at := strings.TrimSpace(lines[i+1])
		if !ok || !strings.Contains(at, ".go:") {
			continue
		}
		name, _, _ = strings.Cut(name, " in goroutine ")
		return append(calls, callAt(name, at))
	}
	return calls
}
