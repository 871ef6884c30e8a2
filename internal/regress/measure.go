package regress

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Measure says what a test of an oracle's finding has to measure, and the bounds of what is all right. Plain calls of the
// target pass with its input.
type Measure struct {
	Kind     string        // alloc, growth, leak, modify or keep
	Alloc    uint64        // bytes that one call may allocate
	Patience time.Duration // how long a goroutine may outlive the call that started it

	Arg                int // the argument with the piece that is repeated, from 0
	From, To           int // the piece
	CloseFrom, CloseTo int // what closes it, behind it; empty: nothing does
}

// measureImports are the packages that the code of a measurement needs.
var measureImports = map[string][]string{
	"alloc":  {"runtime"},
	"growth": {"strings", "time"},
	"leak":   {"runtime", "time"},
	"modify": {"bytes"},
	"keep":   {"runtime", "weak"},
}

const (
	// growthFactor, growthBound: with 8 times as many repetitions, something linear takes 8 times as long, and something
	// quadratic 64 times.
	growthFactor = 8
	growthBound  = 24
	growthSize   = 32 << 10 // bytes of the larger input, at most
	growthTries  = 5        // calls for each time
	leakCalls    = 8
)

// body returns the statements that call function with the arguments and measure. A call is "function(t, arguments)".
func (m *Measure) body(function string, a input.Args) (string, error) {
	args := literals(a)
	call := function + "(t,\n" + strings.Join(args, ",\n") + ",\n)\n"
	switch m.Kind {
	case "alloc":
		return fmt.Sprintf(allocBody, call, strconv.FormatUint(m.Alloc, 10), a.Size()), nil
	case "leak":
		return fmt.Sprintf(leakBody, leakCalls, call, max(m.Patience, time.Millisecond).Milliseconds()), nil
	case "modify", "keep":
		return m.lent(function, a, args)
	case "growth":
		return m.growth(function, a, args)
	}
	return "", fmt.Errorf("there is no test for a finding of the kind %s", m.Kind)
}

const allocBody = `	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	%[1]s	runtime.ReadMemStats(&after)
	const limit = %[2]s
	if n := after.TotalAlloc - before.TotalAlloc; n > limit {
		t.Errorf("the call allocates %%d bytes for %[3]d bytes of input; the limit is %%d", n, uint64(limit))
	}
`

const leakBody = `	const calls = %[1]d
	before := runtime.NumGoroutine()
	for range calls {
		%[2]s	}
	deadline := time.Now().Add(%[3]d * time.Millisecond)
	for runtime.NumGoroutine() >= before+calls && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine() - before; n >= calls {
		t.Errorf("%%d calls leave %%d goroutines behind", calls, n)
	}
`

const modifyBody = `	lent := %[1]s
	want := bytes.Clone(lent)
	%[2]s	if !bytes.Equal(lent, want) {
		t.Errorf("the argument was %%q and is %%q", want, lent)
	}
`

// keepBody calls the function once more than it lends memory, since the last arguments may be in use a little longer.
const keepBody = `	const calls = 8
	var lent []weak.Pointer[[%[3]d]byte]
	for range calls {
		b := new([%[3]d]byte)
		copy(b[:], %[1]s)
		lent = append(lent, weak.Make(b))
		data := b[:%[4]d:%[4]d]
		%[2]s	}
	for range 3 {
		runtime.GC()
	}
	kept := 0
	for _, p := range lent {
		if p.Value() != nil {
			kept++
		}
	}
	if kept >= calls-1 {
		t.Errorf("after %%d calls the memory of %%d arguments is in use", calls, kept)
	}
`

// minBlock is the size in bytes of memory that the garbage collector tracks by itself.
const minBlock = 32

// lent measures what happens to the memory of the first argument that is a byte slice.
func (m *Measure) lent(function string, a input.Args, args []string) (string, error) {
	for i, v := range a {
		if v.Kind != input.Bytes || len(v.Data) == 0 {
			continue
		}
		name, body := "lent", modifyBody
		if m.Kind == "keep" {
			name, body = "data", keepBody
		}
		with := append([]string(nil), args...)
		with[i] = name
		call := function + "(t,\n" + strings.Join(with, ",\n") + ",\n)\n"
		if m.Kind == "modify" {
			return fmt.Sprintf(body, args[i], call), nil
		}
		return fmt.Sprintf(body, args[i], call, max(len(v.Data), minBlock), len(v.Data)), nil
	}
	return "", fmt.Errorf("no argument is a byte slice with something in it")
}

const growthBody = `	// took returns the time of a call with so many repetitions of a part of the input, the shortest of some.
	took := func(copies int) (best time.Duration) {
		grown := %[1]s
		for i := range %[2]d {
			start := time.Now()
			%[3]s			if d := time.Since(start); i == 0 || d < best {
				best = d
			}
		}
		return best
	}
	const copies, more = %[4]d, %[5]d
	small, large := took(copies), took(copies*more)
	if large > %[6]d*max(small, 10*time.Microsecond) {
		t.Errorf("%%d times as much of the same takes %%v instead of %%v", more, large, small)
	}
`

// growth measures two inputs, one of which has a part more often than the other.
func (m *Measure) growth(function string, a input.Args, args []string) (string, error) {
	if m.Arg < 0 || m.Arg >= len(a) || m.To <= m.From || max(m.To, m.CloseTo) > len(a[m.Arg].Data) {
		return "", fmt.Errorf("the record does not say what of the input was repeated")
	}
	data := a[m.Arg].Data
	part := func(from, to int) string { return strconv.Quote(string(data[from:to])) }
	var terms []string
	add := func(from, to int, repeat bool) {
		switch {
		case from >= to:
		case repeat:
			terms = append(terms, fmt.Sprintf("strings.Repeat(%s, copies)", part(from, to)))
		default:
			terms = append(terms, part(from, to))
		}
	}
	add(0, m.From, false)
	add(m.From, m.To, true)
	rest := m.To
	if m.CloseFrom < m.CloseTo {
		add(m.To, m.CloseFrom, false)
		add(m.CloseFrom, m.CloseTo, true)
		rest = m.CloseTo
	}
	add(rest, len(data), false)
	with := append([]string(nil), args...)
	with[m.Arg] = "grown"
	if a[m.Arg].Kind == input.Bytes {
		with[m.Arg] = "[]byte(grown)"
	}
	call := function + "(t,\n" + strings.Join(with, ",\n") + ",\n)\n"
	copies := max(1, growthSize/growthFactor/(m.To-m.From+m.CloseTo-m.CloseFrom))
	return fmt.Sprintf(growthBody, strings.Join(terms, "+"), growthTries, call, copies, growthFactor, growthBound), nil
}
