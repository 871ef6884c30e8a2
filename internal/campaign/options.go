package campaign

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Options says what to fuzz, and how. The zero value of each field means what its comment says.
type Options struct {
	Dir       string          // working directory, for flags and paths that a person reads
	Environ   []string        // of test processes
	Module    project.Module  // that findings belong to
	Toolchain build.Toolchain // that has found the targets
	Builder   Builder         // builds test binaries
	Targets   []build.Target
	Broken    []build.PackageError // packages that cannot be loaded, so that their targets are not known
	Known     known.List           // findings that are not to be reported
	Store     OpenStore            // opens the history

	Limits   Limits
	Fuzzing  Fuzzing
	Identity Identity

	Events *event.Bus // gets all events; it must not be nil, and Run does not close it
}

// Builder builds test binaries, all from the same sources; a *build.Builder in production.
type Builder interface {
	// Path is where the test binary of a package is when Binary has built it.
	Path(pkg string, flags []string) string
	// Binary builds the test binary of a package that is instrumented.
	Binary(ctx context.Context, pkg string, flags []string) error
	// Plain builds the test binary of a package as go test does, and returns where it is.
	Plain(ctx context.Context, pkg string, flags []string) (string, error)
}

// OpenStore opens the database of the history.
type OpenStore func(ctx context.Context) (*store.Store, error)

// Limits says when a campaign ends.
type Limits struct {
	Time     time.Duration // for all targets together; 0: until the context ends
	Each     time.Duration // for each target; 0: no limit
	Execs    uint64        // executions of each target; 0: any number
	Quiet    bool          // a target of which nothing new is to be expected ends
	FailFast bool          // the first bug ends the campaign
}

// Fuzzing says how targets are fuzzed.
type Fuzzing struct {
	Parallel      int           // workers at a time, at least 1
	Timeout       time.Duration // for one execution
	MemLimit      uint64        // bytes of heap per worker; 0: no limit
	MinimizeTime  time.Duration // for one finding; 0 with MinimizeExecs 0: findings are not minimized
	MinimizeExecs uint64
	Seed          uint64 // of all random choices
	Repeatable    bool   // no choice depends on time
	Without       technique.Set
	Oracles       oracle.Limits
	Words         [][]byte // words of the user's for all targets
	Race          bool     // the corpus is replayed with the race detector too
	Flags         []string // for the go command that builds test binaries
	PlainFlags    []string // those of them that plain go test needs too
	Args          []string // for the test binaries
}

// Identity is what a campaign that was killed is recognized by.
type Identity struct {
	Packages string // patterns, as the user wrote them
	Args     string // the arguments, without those that change the output only
	Fresh    bool   // one that was killed does not go on
	Process  string // names this process, so that another one sees whether it lives
}

// Summary is what came of a campaign.
type Summary struct {
	Targets  []TargetSummary // in the order of the options
	Findings int             // different ones that count
	Broken   int             // packages that could not be loaded
	Elapsed  time.Duration   // of fuzzing, before a kill too
	Busy     float64         // part of the workers' time that was used, from 0 to 1
}

// TargetSummary is what came of a target.
type TargetSummary struct {
	Target build.Target
	Result event.Result
}

// Count returns the number of targets with a result.
func (s Summary) Count(want event.Result) (n int) {
	for _, t := range s.Targets {
		if t.Result == want {
			n++
		}
	}
	return n
}

// ExitCode is the exit code that the results make.
func (s Summary) ExitCode() int {
	switch {
	case s.Count(event.Bug) > 0:
		return exitcode.Finding
	case s.Count(event.Unusable) > 0 || s.Broken > 0:
		return exitcode.Internal
	case s.Count(event.Unreached) > 0:
		return exitcode.Unreached
	}
	return exitcode.OK
}
