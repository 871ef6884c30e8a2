package engine

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

// Worker is a process that executes inputs; *executor.Worker in production.
type Worker interface {
	Setup(s wire.Setup) error
	Knows(id uint64) bool
	Add(id uint64, a input.Args) error
	RunOracles(ctx context.Context, m wire.Measure) (executor.OracleResult, error)
	SendWords(words [][]byte) error
	Run(ctx context.Context, a input.Args, m wire.Run) (wire.Ran, error)
	Fuzz(ctx context.Context, m wire.Fuzz, slice time.Duration, found func(wire.New)) (executor.Fuzzed, error)
	Stderr() string
	Underway() uint64
	Refuse(allowed [][]byte) error
	Refused() (action string, newest bool)
	Preempt()
	Stop()
	Kill()
}

// Options says what to fuzz and how. The zero value of each field means what its comment says. A run changes none of them:
// what it finds out about the target, and limits that move, are part of its own state.
type Options struct {
	Target    event.Subject // that events are about; the engine uses the name of the function only
	Kinds     []input.Kind  // types of its arguments; nil: the first worker says
	Seeds     []Seed        // inputs that the user gave
	SeedDir   string        // directory whose files are seeds too; empty: none
	CorpusDir string        // directory for failing inputs, as it is shown to the user
	WriteDir  string        // the same directory as gnaw can reach it; empty: CorpusDir
	CacheDir  string        // directory for interesting inputs; empty: they are not kept
	MaxExecs  uint64        // executions; 0: no limit
	MaxLen    int           // bytes of an argument of a mutant; 0: the engine chooses
	Procs     int           // processors that are the share of each worker; 0: all
	MemRoom   uint64        // bytes of memory that there are for all processes together; 0: unknown
	MemShare  uint64        // MemLimit is not raised beyond so many bytes, which each worker can have while all others run; 0: unknown
	Boundary  bool          // boundary inputs are executed soon after fuzzing begins
	KeepGoing bool          // a failure does not end the run
	Grace     Grace         // how long one that does not keep going looks for others; zero: it does not
	Remember  bool          // what is in the corpus can be asked for
	// Distance is the distance between inputs and the code that fuzzing prefers to reach; nil: it prefers none. Any goroutine may call it.
	Distance schedule.Distance
	Restart  bool // a worker that something outside has killed is started again
	// WarmUpOnly: the run ends when the warm-up is over.
	WarmUpOnly bool
	Settings
	Callbacks
}

// Settings say how targets are fuzzed. They are the same for all targets of a campaign: the command line makes them, and each layer hands them to
// the next one unchanged.
type Settings struct {
	Minimize   Budget        // for one failure; zero: failures are not minimized
	MemLimit   uint64        // bytes of heap per worker; 0: no limit
	Seed       uint64        // of all random choices
	Repeatable bool          // no choice depends on time, so that with one worker the same seed gives the same run
	Without    technique.Set // techniques that are not used
	Oracles    oracle.Limits // what oracles look for in inputs that pass; none on: nothing
	Refuse     bool          // inputs do nothing outside of their process that no seed does
}

// Budget limits a search, by time or by executions.
type Budget struct {
	Time  time.Duration // 0: no limit, if Execs is not 0
	Execs int           // 0: no limit, if Time is not 0
}

// Callbacks are the functions that a run calls. Unless stated otherwise, several goroutines may call one at the same time.
type Callbacks struct {
	Codec        CodecFunc         // of the files of CacheDir; nil: those of go test
	Words        WordsFunc         // finds words worth trying in mutants; nil: there are none
	Start        StartFunc         // starts a worker
	StartPatient StartFunc         // starts one whose executions may take several times as long; nil: as Start
	Replay       ReplayFunc        // runs a failing input as plain go test does; nil: findings are not replayed
	PlainReplay  bool              // Replay runs a hang without instrumentation
	PlainTime    TimeFunc          // times an input in plain go test; nil: that cannot be done
	Coverage     func() (int, int) // edges and buckets seen; nil: unknown
	// Formats returns the messages that the source code makes at the place of a call, so that those that differ only in what they have from
	// the input are one finding. It must not call the target. nil: none is known.
	Formats func(finding.Call) []finding.Format
	// Known reports whether the user has said that a finding is known. It does not hide others then. nil: none is.
	Known func(*finding.Finding) bool
	// OnEvent, OnFound and OnSmaller are called one at a time, and must not block; nil: nothing is reported. OnEvent is called for each
	// event. OnFound is called for each finding when its input is on disk, minimized and replayed. OnSmaller is called for a smaller
	// input of a finding of before, when that input is minimized and replayed too. The engine does not change the finding any more.
	OnEvent   func(event.Event)
	OnFound   func(*finding.Finding)
	OnSmaller func(*finding.Finding)
	// OnEntry are called for each entry after it is written to disk, and for each smaller form of an entry: one at a time, also with the
	// callbacks above, in this order. They must not block: fuzzing of the target waits for them. One that has more to do keeps what it needs
	// for later, which the engine does not change, and the function must not either.
	OnEntry []func(Kept)
	Clock   func() time.Duration // the time since a fixed time, which never goes back; nil: the clock of the process
}

// StartFunc starts a worker and returns its description of the target.
type StartFunc func(ctx context.Context) (Worker, wire.Hello, error)

// CodecFunc returns the codec of the files of a directory, for a target with arguments of these kinds.
type CodecFunc func(kinds []input.Kind) corpus.Codec

// WordsFunc returns words that are worth trying in mutants, the best first. It is called while fuzzing begins without them, in
// the first turn and in the next ones until one did not end before it, and returns soon when ctx ends.
type WordsFunc func(ctx context.Context) [][]byte

// ReplayFunc runs a file in CorpusDir, or a seed, as plain go test does, as [proof.GoTest.Prove] does.
type ReplayFunc func(ctx context.Context, x proof.Execution, f *finding.Finding) (proof.Verdict, error)

// TimeFunc times a file in CorpusDir in plain go test, as [proof.GoTest.Time] does.
type TimeFunc func(ctx context.Context, x proof.Execution, limit time.Duration) (took time.Duration, ended bool, err error)

// Kept is an entry of the corpus.
type Kept struct {
	Args     input.Args
	Features []cover.Feature // the features that it shows
	Path     string          // of its file, or the name of the seed; empty: it has none
	Given    bool            // the entry is a seed, or was in the corpus cache
}

// Seed is an input that the user gave.
type Seed struct {
	Name string // "seed#0", or the path of a file
	Args input.Args
}
