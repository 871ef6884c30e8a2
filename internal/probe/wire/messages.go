package wire

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Hello is the first message of a worker, and those after it until there is nothing more to say: seeds may be larger than one message.
type Hello struct {
	Protocol string       // hash of the injected sources
	Kinds    []input.Kind // argument types of the target
	Counters int          // number of edge counters; 0: not instrumented
	Seeds    [][]byte     // packed inputs of F.Add, in order
	Race     bool         // the binary was built with -race
	More     bool         // another Hello follows, with more seeds
}

// Parts returns hellos whose seeds are together those of m, each with no more than so many bytes of them unless one seed alone has more.
func (m Hello) Parts(most int) (parts []Hello) {
	seeds := m.Seeds
	for {
		n, size := 0, 0
		for n < len(seeds) && (n == 0 || size+len(seeds[n]) <= most) {
			size += len(seeds[n])
			n++
		}
		part := m
		part.Seeds, seeds = seeds[:n:n], seeds[n:]
		part.More = len(seeds) > 0
		if parts = append(parts, part); !part.More {
			return parts
		}
	}
}

func (Hello) kind() Type { return TypeHello }

func (m Hello) encode(e *encoder) {
	e.string(m.Protocol)
	e.uint(uint64(len(m.Kinds)))
	for _, k := range m.Kinds {
		e.uint(uint64(k))
	}
	e.uint(uint64(m.Counters))
	e.uint(uint64(len(m.Seeds)))
	for _, s := range m.Seeds {
		e.bytes(s)
	}
	e.bool(m.Race)
	e.bool(m.More)
}

// DecodeHello decodes the payload of a Hello.
func DecodeHello(b []byte) (m Hello, err error) {
	d := decoder{b: b}
	m.Protocol = d.string()
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		m.Kinds = append(m.Kinds, input.Kind(d.uint()))
	}
	m.Counters = d.int()
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		m.Seeds = append(m.Seeds, d.bytes())
	}
	m.Race, m.More = d.bool(), d.bool()
	return m, d.end()
}

// Setup is sent once, after Hello.
type Setup struct {
	Seed     uint64 // of the worker's random numbers
	MemLimit uint64 // limit in bytes for the heap; 0: none
	Resident bool   // only memory that is really used counts against the limit
	TrimMax  int    // executions to spend at most on making a new entry smaller
	Without  technique.Set
	Number   int    // of the worker, from 0: workers have different habits
	NoClock  bool   // decide nothing by the time that something takes
	Alloc    uint64 // bytes allocated by one execution that make its input a suspect; 0: none does
	Procs    int    // processors that are the share of the worker; 0: all
	MaxStack int    // bytes at which a goroutine's stack overflows; 0: as without gnaw
}

func (Setup) kind() Type { return TypeSetup }

func (m Setup) encode(e *encoder) {
	e.uint(m.Seed)
	e.uint(m.MemLimit)
	e.bool(m.Resident)
	e.uint(uint64(m.TrimMax))
	e.uint(uint64(m.Without))
	e.uint(uint64(m.Number))
	e.bool(m.NoClock)
	e.uint(m.Alloc)
	e.uint(uint64(m.Procs))
	e.uint(uint64(m.MaxStack))
}

// DecodeSetup decodes the payload of a Setup.
func DecodeSetup(b []byte) (m Setup, err error) {
	d := decoder{b: b}
	m.Seed, m.MemLimit, m.Resident, m.TrimMax = d.uint(), d.uint(), d.bool(), d.int()
	m.Without, m.Number, m.NoClock = technique.Set(d.uint()), d.int(), d.bool()
	m.Alloc, m.Procs, m.MaxStack = d.uint(), d.int(), d.int()
	return m, d.end()
}

// Entry gives the worker an entry of the corpus, to mutate it or to splice with it.
type Entry struct {
	ID    uint64
	Input []byte // packed
}

func (Entry) kind() Type { return TypeEntry }

func (m Entry) encode(e *encoder) {
	e.uint(m.ID)
	e.bytes(m.Input)
}

// DecodeEntry decodes the payload of an Entry.
func DecodeEntry(b []byte) (m Entry, err error) {
	d := decoder{b: b}
	m.ID, m.Input = d.uint(), d.bytes()
	return m, d.end()
}

// Words gives the worker words that are worth trying in mutants, the best first. It takes the place of an earlier one.
type Words struct{ List [][]byte }

func (Words) kind() Type { return TypeWords }

func (m Words) encode(e *encoder) {
	e.uint(uint64(len(m.List)))
	for _, w := range m.List {
		e.bytes(w)
	}
}

// DecodeWords decodes the payload of Words. The words are parts of the payload.
func DecodeWords(b []byte) (m Words, err error) {
	d := decoder{b: b}
	for n := d.uint(); n > 0 && d.err == nil; n-- {
		m.List = append(m.List, d.bytes())
	}
	return m, d.end()
}

// Run asks for one execution, answered by Ran.
type Run struct {
	Input []byte // packed
	Trace bool   // report the features; a run that shows new ones is repeated, and stable ones are merged

	Show []cover.Feature // what the input has shown before, in ascending order
}

func (Run) kind() Type { return TypeRun }

func (m Run) encode(e *encoder) {
	e.bytes(m.Input)
	e.bool(m.Trace)
	e.features(m.Show)
}

// DecodeRun decodes the payload of a Run.
func DecodeRun(b []byte) (m Run, err error) {
	d := decoder{b: b}
	m.Input, m.Trace, m.Show = d.bytes(), d.bool(), d.features()
	return m, d.end()
}

// Trim says what may be removed of a new entry to make it smaller.
type Trim uint8

// The degrees of Trim.
const (
	TrimNothing Trim = iota
	TrimGrown        // what is longer than what it replaces in the entry that was mutated
	TrimAll          // whatever the new edge does not need
)

// Fuzz asks to mutate an entry and to execute the mutants, answered by Done.
type Fuzz struct {
	ID     uint64 // entry that was sent before
	Execs  uint64 // executions at most, all included
	Bytes  uint64 // the last one is that with which all inputs together have so many bytes; 0: however long they are
	MaxLen int    // limit in bytes for one buffer of a mutant
	Trim   Trim   // what of new entries to remove
	Study  bool   // record the comparisons of the entry first, so that mutants can use them
	Solve  bool   // with Study: try all that they suggest before mutating at random
	Skip   uint64 // of these suggestions, the number that was tried before

	Holds []cover.Feature // what a smaller mutant must show to take the place of the entry; none: it cannot
}

func (Fuzz) kind() Type { return TypeFuzz }

func (m Fuzz) encode(e *encoder) {
	e.uint(m.ID)
	e.uint(m.Execs)
	e.uint(m.Bytes)
	e.uint(uint64(m.MaxLen))
	e.uint(uint64(m.Trim))
	e.bool(m.Study)
	e.bool(m.Solve)
	e.uint(m.Skip)
	e.features(m.Holds)
}

// DecodeFuzz decodes the payload of a Fuzz.
func DecodeFuzz(b []byte) (m Fuzz, err error) {
	d := decoder{b: b}
	m.ID, m.Execs, m.Bytes, m.MaxLen, m.Trim = d.uint(), d.uint(), d.uint(), d.int(), Trim(d.uint())
	m.Study, m.Solve, m.Skip = d.bool(), d.bool(), d.uint()
	m.Holds = d.features()
	return m, d.end()
}

// Stop asks the worker to leave F.Fuzz.
type Stop struct{}

func (Stop) kind() Type { return TypeStop }

func (Stop) encode(*encoder) {}

// Ran is the result of a Run.
type Ran struct {
	Execs    uint64 // executions made
	Nanos    uint64 // duration of one execution in nanoseconds
	Failed   bool
	Output   string          // what the target logged and the panic with its stack, if it failed
	Logged   int             // lines of Output that were there when it failed first; 0: not known
	Added    []cover.Feature // stable features that were new; they are merged
	Edges    int             // among Added, counters that nobody had hit
	Features []cover.Feature // all stable features, if something was added
	Lost     bool            // some counter of Show was not hit
}

func (Ran) kind() Type { return TypeRan }

func (m Ran) encode(e *encoder) {
	e.uint(m.Execs)
	e.uint(m.Nanos)
	e.bool(m.Failed)
	e.string(m.Output)
	e.uint(uint64(m.Logged))
	e.features(m.Added)
	e.uint(uint64(m.Edges))
	e.features(m.Features)
	e.bool(m.Lost)
}

// DecodeRan decodes the payload of a Ran.
func DecodeRan(b []byte) (m Ran, err error) {
	d := decoder{b: b}
	m.Execs, m.Nanos, m.Failed, m.Output, m.Logged = d.uint(), d.uint(), d.bool(), d.string(), d.int()
	m.Added, m.Edges, m.Features, m.Lost = d.features(), d.int(), d.features(), d.bool()
	return m, d.end()
}

// New is an input that showed features that no worker had seen; they are merged.
type New struct {
	Input    []byte // packed
	Nanos    uint64 // duration of one execution in nanoseconds
	Added    []cover.Feature
	Edges    int             // among Added, counters that nobody had hit
	Features []cover.Feature // all stable features
	Replaces uint64          // entry in whose place it is, smaller and with all that the Fuzz request asked for; 0: it adds features
}

func (New) kind() Type { return TypeNew }

func (m New) encode(e *encoder) {
	e.bytes(m.Input)
	e.uint(m.Nanos)
	e.features(m.Added)
	e.uint(uint64(m.Edges))
	e.features(m.Features)
	e.uint(m.Replaces)
}

// DecodeNew decodes the payload of a New.
func DecodeNew(b []byte) (m New, err error) {
	d := decoder{b: b}
	m.Input, m.Nanos, m.Added, m.Edges, m.Features = d.bytes(), d.uint(), d.features(), d.int(), d.features()
	m.Replaces = d.uint()
	return m, d.end()
}

// Failed is an input that made the target fail without ending the process. It ends the Fuzz request.
type Failed struct {
	Input    []byte // packed
	Output   string // what the target logged and the panic with its stack
	Logged   int    // lines of Output that were there when it failed first; 0: not known
	Trimming bool   // it turned up while a new entry was made smaller
}

func (Failed) kind() Type { return TypeFailed }

func (m Failed) encode(e *encoder) {
	e.bytes(m.Input)
	e.string(m.Output)
	e.uint(uint64(m.Logged))
	e.bool(m.Trimming)
}

// DecodeFailed decodes the payload of a Failed.
func DecodeFailed(b []byte) (m Failed, err error) {
	d := decoder{b: b}
	m.Input, m.Output, m.Logged, m.Trimming = d.bytes(), d.string(), d.int(), d.bool()
	return m, d.end()
}

// Done ends a Fuzz request.
type Done struct {
	Execs  uint64 // executions made
	Nanos  uint64 // time that they took together, in nanoseconds
	Tried  uint64 // suggestions of comparisons tried so far, those of earlier requests included
	Solved bool   // there are no more of them
	Greedy []byte // a packed input that allocated so much that it is a suspect; empty: there was none
}

func (Done) kind() Type { return TypeDone }

func (m Done) encode(e *encoder) {
	e.uint(m.Execs)
	e.uint(m.Nanos)
	e.uint(m.Tried)
	e.bool(m.Solved)
	e.bytes(m.Greedy)
}

// DecodeDone decodes the payload of a Done.
func DecodeDone(b []byte) (m Done, err error) {
	d := decoder{b: b}
	m.Execs, m.Nanos, m.Tried, m.Solved, m.Greedy = d.uint(), d.uint(), d.uint(), d.bool(), d.bytes()
	return m, d.end()
}
