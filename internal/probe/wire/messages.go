package wire

import (
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// Hello is the first message of a worker, and those after it until there is nothing more to say: seeds may be larger than one message.
type Hello struct {
	Protocol string       // hash of the injected sources
	Binary   cover.Digest // of the test binary, which the features in all messages are about
	Kinds    []input.Kind // argument types of the target
	Counters int          // number of edge counters; 0: not instrumented
	Seeds    [][]byte     // packed inputs of F.Add, in order
	Race     bool         // the binary was built with -race
	More     bool         // another Hello follows, with more seeds

	Packages []blocks.Package // that are compiled with counters for their blocks; the first message has them
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
		if len(parts) > 0 {
			part.Packages = nil
		}
		part.Seeds, seeds = seeds[:n:n], seeds[n:]
		part.More = len(seeds) > 0
		if parts = append(parts, part); !part.More {
			return parts
		}
	}
}

func (m *Hello) walk(c *codec) {
	c.string(&m.Protocol)
	c.digest(&m.Binary)
	list(c, &m.Kinds, number[input.Kind])
	c.count(&m.Counters)
	list(c, &m.Seeds, (*codec).bytes)
	c.bool(&m.Race)
	c.bool(&m.More)
	list(c, &m.Packages, walkPackage)
}

func walkPackage(c *codec, p *blocks.Package) {
	id := uint32(p.ID)
	number(c, &id)
	p.ID = int32(id)
	c.bytes(&p.Meta)
}

func (m Hello) encode(c *codec) Type { m.walk(c); return TypeHello }

// DecodeHello decodes the payload of a Hello.
func DecodeHello(b []byte) (Hello, error) { return decode(b, (*Hello).walk) }

// Setup is sent once, after Hello.
type Setup struct {
	Seed     uint64 // of the worker's random numbers
	MemLimit uint64 // limit in bytes for the heap; 0: none
	Resident bool   // only memory that is really used counts against the limit
	TrimMax  int    // executions to spend at most on making a new entry smaller
	Without  technique.Set
	Number   int    // of the worker, from 0: workers have different habits
	NoClock  bool   // decide nothing by the time that something takes
	Alloc    uint64 // bytes allocated by one execution above which Done reports its input; 0: it never does
	Procs    int    // processors that are the share of the worker; 0: all
	MaxStack int    // bytes at which a goroutine's stack overflows; 0: as without gnaw
}

func (m *Setup) walk(c *codec) {
	number(c, &m.Seed)
	number(c, &m.MemLimit)
	c.bool(&m.Resident)
	c.count(&m.TrimMax)
	number(c, &m.Without)
	c.count(&m.Number)
	c.bool(&m.NoClock)
	number(c, &m.Alloc)
	c.count(&m.Procs)
	c.count(&m.MaxStack)
}

func (m Setup) encode(c *codec) Type { m.walk(c); return TypeSetup }

// DecodeSetup decodes the payload of a Setup.
func DecodeSetup(b []byte) (Setup, error) { return decode(b, (*Setup).walk) }

// Entry gives the worker an entry of the corpus, to mutate it or to splice with it.
type Entry struct {
	ID    uint64
	Input []byte // packed
}

func (m *Entry) walk(c *codec) {
	number(c, &m.ID)
	c.bytes(&m.Input)
}

func (m Entry) encode(c *codec) Type { m.walk(c); return TypeEntry }

// DecodeEntry decodes the payload of an Entry.
func DecodeEntry(b []byte) (Entry, error) { return decode(b, (*Entry).walk) }

// Words gives the worker words that are worth trying in mutants, the best first. It takes the place of an earlier one.
type Words struct{ List [][]byte }

func (m *Words) walk(c *codec) {
	list(c, &m.List, (*codec).bytes)
}

func (m Words) encode(c *codec) Type { m.walk(c); return TypeWords }

// DecodeWords decodes the payload of Words. The words are parts of the payload.
func DecodeWords(b []byte) (Words, error) { return decode(b, (*Words).walk) }

// Refuse has the worker refuse what inputs do outside of the process, unless the input is given or the action is allowed. Without this
// message it refuses nothing. It may be sent again, with more that is allowed.
type Refuse struct {
	Allowed [][]byte // actions in the form of package refusal
}

func (m *Refuse) walk(c *codec) { list(c, &m.Allowed, (*codec).bytes) }

func (m Refuse) encode(c *codec) Type { m.walk(c); return TypeRefuse }

// DecodeRefuse decodes the payload of Refuse. The actions are parts of the payload.
func DecodeRefuse(b []byte) (Refuse, error) { return decode(b, (*Refuse).walk) }

// Run asks for one execution, answered by Ran.
type Run struct {
	Input []byte // packed
	Trace bool   // report the features; a run that shows new ones is repeated, and stable ones are merged
	Given bool   // the input is a seed: what it does outside of the process is not refused, but reported
	All   bool   // report all features of this one execution, whether they are new or stable or not; none is merged

	Show []cover.Feature // what the input has shown before, in ascending order
}

func (m *Run) walk(c *codec) {
	c.bytes(&m.Input)
	c.bool(&m.Trace)
	c.bool(&m.Given)
	c.bool(&m.All)
	c.features(&m.Show)
}

func (m Run) encode(c *codec) Type { m.walk(c); return TypeRun }

// DecodeRun decodes the payload of a Run.
func DecodeRun(b []byte) (Run, error) { return decode(b, (*Run).walk) }

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

func (m *Fuzz) walk(c *codec) {
	number(c, &m.ID)
	number(c, &m.Execs)
	number(c, &m.Bytes)
	c.count(&m.MaxLen)
	number(c, &m.Trim)
	c.bool(&m.Study)
	c.bool(&m.Solve)
	number(c, &m.Skip)
	c.features(&m.Holds)
}

func (m Fuzz) encode(c *codec) Type { m.walk(c); return TypeFuzz }

// DecodeFuzz decodes the payload of a Fuzz.
func DecodeFuzz(b []byte) (Fuzz, error) { return decode(b, (*Fuzz).walk) }

// Stop asks the worker to leave F.Fuzz.
type Stop struct{}

func (Stop) encode(*codec) Type { return TypeStop }

// Ran is the result of a Run.
type Ran struct {
	Execs    uint64 // executions made
	Nanos    uint64 // duration of one execution in nanoseconds
	Failed   bool
	Output   string          // what the target logged and the panic with its stack, if it failed
	Logged   int             // lines of Output that were there when it failed first; 0: not known
	Added    []cover.Feature // stable features that were new; they are merged
	Edges    int             // among Added, counters that nobody had hit
	Features []cover.Feature // all stable features, if something was added; with All, those of the execution
	Lost     bool            // some counter of Show was not hit
	Actions  [][]byte        // of the setup and of inputs that are given, outside of the process, since the last report; in the form of package refusal
}

func (m *Ran) walk(c *codec) {
	number(c, &m.Execs)
	number(c, &m.Nanos)
	c.bool(&m.Failed)
	c.string(&m.Output)
	c.count(&m.Logged)
	c.features(&m.Added)
	c.count(&m.Edges)
	c.features(&m.Features)
	c.bool(&m.Lost)
	list(c, &m.Actions, (*codec).bytes)
}

func (m Ran) encode(c *codec) Type { m.walk(c); return TypeRan }

// DecodeRan decodes the payload of a Ran.
func DecodeRan(b []byte) (Ran, error) { return decode(b, (*Ran).walk) }

// New is an input that showed features that no worker had seen; they are merged.
type New struct {
	Input    []byte // packed
	Nanos    uint64 // duration of one execution in nanoseconds
	Added    []cover.Feature
	Edges    int             // among Added, counters that nobody had hit
	Features []cover.Feature // all stable features
	Maker    technique.Maker // what made the input
	Replaces uint64          // entry in whose place it is, smaller and with all that the Fuzz request asked for; 0: it adds features
}

func (m *New) walk(c *codec) {
	c.bytes(&m.Input)
	number(c, &m.Nanos)
	c.features(&m.Added)
	c.count(&m.Edges)
	c.features(&m.Features)
	number(c, &m.Maker)
	number(c, &m.Replaces)
}

func (m New) encode(c *codec) Type { m.walk(c); return TypeNew }

// DecodeNew decodes the payload of a New.
func DecodeNew(b []byte) (New, error) { return decode(b, (*New).walk) }

// Failed is an input that made the target fail without ending the process. It ends the Fuzz request.
type Failed struct {
	Input    []byte // packed
	Output   string // what the target logged and the panic with its stack
	Logged   int    // lines of Output that were there when it failed first; 0: not known
	Trimming bool   // it turned up while a new entry was made smaller
}

func (m *Failed) walk(c *codec) {
	c.bytes(&m.Input)
	c.string(&m.Output)
	c.count(&m.Logged)
	c.bool(&m.Trimming)
}

func (m Failed) encode(c *codec) Type { m.walk(c); return TypeFailed }

// DecodeFailed decodes the payload of a Failed.
func DecodeFailed(b []byte) (Failed, error) { return decode(b, (*Failed).walk) }

// Done ends a Fuzz request.
type Done struct {
	Execs  uint64 // executions made
	Nanos  uint64 // time that they took together, in nanoseconds
	Tried  uint64 // suggestions of comparisons tried so far, those of earlier requests included
	Solved bool   // there are no more of them
	Greedy []byte // a packed input that allocated more than Setup.Alloc; empty: there was none
}

func (m *Done) walk(c *codec) {
	number(c, &m.Execs)
	number(c, &m.Nanos)
	number(c, &m.Tried)
	c.bool(&m.Solved)
	c.bytes(&m.Greedy)
}

func (m Done) encode(c *codec) Type { m.walk(c); return TypeDone }

// DecodeDone decodes the payload of a Done.
func DecodeDone(b []byte) (Done, error) { return decode(b, (*Done).walk) }
