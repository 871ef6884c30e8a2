package regress

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Measure says what the test of an oracle's finding measures, and the limits. The code of a measurement compiles with every language
// version that a go.mod may name: it has no range over a number, no min and max, no type parameters, and nothing that the standard library
// did not have in Go 1.18.
type Measure struct {
	Kind  string // alloc, growth, leak, modify or keep
	Limit uint64 // alloc: bytes that one call may allocate; leak: nanoseconds that a goroutine may outlive the call that started it

	Arg                int     // the argument with the piece that is repeated, from 0
	From, To           int     // the piece
	CloseFrom, CloseTo int     // what closes it, behind it; empty: nothing does
	Copies             int     // of the piece with which a call in plain go test takes long; 0: not known
	Power              float64 // of the size that the time of a call follows there
}

// measureImports are the packages that the code of a measurement needs.
var measureImports = map[string][]string{
	"alloc":  {"runtime"},
	"growth": {"strings", "time"},
	"leak":   {"runtime", "time"},
	"modify": {"bytes"},
	"keep":   {"runtime", "time"},
}

const (
	// With growthFactor 8, linear time is 8 times as long and quadratic time 64 times; growthBound is between them.
	growthFactor = 8
	growthBound  = 24
	growthSize   = 32 << 10 // bytes of the larger input, at most, if it is not known with which size a call takes long
	growthTries  = 5        // calls for each time, at most
	leakCalls    = 16
)

// body returns the statements that call function with the arguments and measure. A call is "function(t, arguments)".
func (m *Measure) body(function string, a input.Args) (string, error) {
	args := literals(a)
	call := function + "(t,\n" + strings.Join(args, ",\n") + ",\n)\n"
	switch m.Kind {
	case "alloc":
		return fmt.Sprintf(allocBody, call, strconv.FormatUint(m.Limit, 10), a.Size()), nil
	case "leak":
		return fmt.Sprintf(leakBody, leakCalls, call, max(time.Duration(m.Limit), time.Millisecond).Milliseconds()), nil
	case "modify", "keep":
		return m.memory(function, a, args)
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
	for i := 0; i < calls; i++ {
		%[2]s	}
	left := func() int { return runtime.NumGoroutine() - before } // others may come and go
	deadline := time.Now().Add(%[3]d * time.Millisecond)
	for left() > calls/2 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if n := left(); n > calls/2 {
		t.Errorf("%%d calls leave %%d goroutines behind", calls, n)
	}
`

const modifyBody = `	data := %[1]s
	want := append([]byte(nil), data...)
	%[2]s	if !bytes.Equal(data, want) {
		t.Errorf("the argument was %%q and is %%q", want, data)
	}
`

// keepBody calls the function with new memory each time. The test fails if at most one of the arguments is free afterwards.
const keepBody = `	const calls = 8
	freed := make(chan bool, calls)
	for i := 0; i < calls; i++ {
		b := new([%[3]d]byte)
		runtime.SetFinalizer(b, func(*[%[3]d]byte) { freed <- true })
		copy(b[:], %[1]s)
		data := b[:%[4]d:%[4]d]
		%[2]s	}
	kept := func() int { return calls - len(freed) }
	for deadline := time.Now().Add(%[5]d * time.Millisecond); kept() >= calls-1 && time.Now().Before(deadline); {
		runtime.GC()
		time.Sleep(time.Millisecond) // for finalizers to run
	}
	if n := kept(); n >= calls-1 {
		t.Errorf("after %%d calls the memory of %%d arguments is in use", calls, n)
	}
`

// keepPatience is the time after which unreferenced memory must be free.
const keepPatience = 2 * time.Second

// minBlock is the size in bytes of memory that the garbage collector tracks by itself.
const minBlock = 32

// memory measures what happens to the memory of the first argument that is a byte slice.
func (m *Measure) memory(function string, a input.Args, args []string) (string, error) {
	for i, v := range a {
		if v.Kind != input.Bytes || len(v.Data) == 0 {
			continue
		}
		body := modifyBody
		if m.Kind == "keep" {
			body = keepBody
		}
		with := append([]string(nil), args...)
		with[i] = "data"
		call := function + "(t,\n" + strings.Join(with, ",\n") + ",\n)\n"
		if m.Kind == "modify" {
			return fmt.Sprintf(body, args[i], call), nil
		}
		return fmt.Sprintf(body, args[i], call, max(len(v.Data), minBlock), len(v.Data), keepPatience.Milliseconds()), nil
	}
	return "", fmt.Errorf("no argument is a byte slice with something in it")
}

const growthBody = `	// took returns the time of a call with so many repetitions of a part of the input, the shortest of some.
	took := func(copies int) (best time.Duration) {
		grown := %[1]s
		for begin, i := time.Now(), 0; i == 0 || i < %[2]d && time.Since(begin) < time.Second; i++ {
			start := time.Now()
			%[3]s			if d := time.Since(start); i == 0 || d < best {
				best = d
			}
		}
		return best
	}
	const copies, more = %[4]d, %[5]d
	small, large := took(copies), took(copies*more)
	if least := 10 * time.Microsecond; small < least {
		small = least
	}
	if large > %[6]d*small {
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
	copies, bound := max(1, growthSize/growthFactor/(m.To-m.From+m.CloseTo-m.CloseFrom)), growthBound
	if m.Copies > 0 {
		copies = max(1, m.Copies/growthFactor)
		// Between linear and measured growth, because both vary on a busy machine.
		bound = min(bound, int(math.Pow(growthFactor, (1+m.Power)/2)))
	}
	return fmt.Sprintf(growthBody, strings.Join(terms, "+"), growthTries, call, copies, growthFactor, bound), nil
}
