package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bandit"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/focus"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// Options says what a campaign fuzzes, and how. If the zero value of a field is special, its comment says so.
type Options struct {
	Dir       string               // working directory; paths in messages are relative to it
	Environ   []string             // of test processes
	Module    project.Module       // that findings belong to
	Toolchain gocommand.Toolchain  // of the targets
	Builder   Builder              // has the test binaries
	Sources   Sources              // of the targets; nil: there are none, as where test binaries come from another machine
	Targets   []build.Target       // those outside of the main modules behind the others, in the order in which they are built
	Copies    *deps.Copies         // makes the folders of targets outside of the main modules; nil: there are none
	Broken    []build.PackageError // packages that cannot be loaded
	Known     known.List           // findings that do not count
	History   History              // records the campaign; nil: nothing does
	Ledger    Ledger               // keeps and publishes findings; nil: they go to the history and to Events
	Schedule  Schedule             // gives turns to targets; nil: bandit.Run
	// Upstream runs the input of a finding of a dependency with the newest version of the module. It is called on one goroutine, and must
	// return soon after ctx ends. nil: findings of dependencies are published without that.
	Upstream func(ctx context.Context, r finding.Record) finding.Upstream

	Focus *focus.Plan // the spots that inputs shall reach; nil: there are none

	Corpus string // folder of the corpora of all packages; empty: that in the build cache, which go test uses

	Limits   Limits
	Fuzzing  Fuzzing
	Identity Identity

	Events *event.Bus // gets all events; it must not be nil, and Run does not close it
	// OnEntry are called for each entry of each target as [engine.Callbacks] says, behind what -focus does with it. The calls for one target
	// are one at a time; those for several targets are not.
	OnEntry []EntryFunc
}

// EntryFunc takes an entry of a target.
type EntryFunc func(t event.Subject, k engine.Kept)

// Schedule prepares targets and fuzzes them in turns until a limit of the options, or the end of ctx, as [bandit.Run] does. When it returns, nothing that
// it has started runs any more.
type Schedule func(ctx context.Context, o bandit.Options) bandit.Result

// warn publishes a warning about the campaign.
func (o Options) warn(text string) { o.Events.Publish(event.Notice{What: event.Warning, Text: text}) }

// Limits says when a campaign ends.
type Limits struct {
	Time     time.Duration // for all targets together; 0: until the context ends
	Each     time.Duration // for each target; 0: no limit
	MaxExecs uint64        // executions of each target; 0: no limit
	Quiet    bool          // a quiet target gets no more turns
	Reached  bool          // the campaign ends when each spot of Focus is reached
	FailFast bool          // the first bug ends the campaign
	Outside  bool          // a bug of a target outside of the main modules counts for FailFast and the exit code
}

// Fuzzing says how targets are fuzzed.
type Fuzzing struct {
	engine.Settings
	Parallel   int           // workers at a time, at least 1
	Timeout    time.Duration // for one execution
	MaxCorpus  int           // entries in the corpus cache of a target above which it is distilled between turns; 0: it is not
	Words      [][]byte      // tokens of -dict, for all targets
	Race       bool          // the corpus is replayed with the race detector too
	Cover      bool          // statements that entries reach are counted
	PlainFlags []string      // flags of the go command that plain go test needs to build the same code
	Args       []string      // for the test binaries
}

// Identity says which killed campaign a campaign resumes.
type Identity struct {
	Packages string // patterns, as the user wrote them
	Args     string // arguments, without those that change the output only
	Fresh    bool   // none is resumed
	Process  string // names this process, so that another process can see whether it is alive
}

// Summary is the result of a campaign.
type Summary struct {
	Targets  []TargetSummary // in the order of the options
	Findings int             // different ones that count
	Broken   int             // packages that could not be loaded
	Elapsed  time.Duration   // time of fuzzing, before a kill too
	Busy     float64         // part of the workers' time that was used, from 0 to 1
	Outside  bool            // a bug of a target outside of the main modules counts for the exit code
	Until    bool            // the campaign was to end when each spot is reached
	Missed   int             // spots that no input has reached
	Vet      int             // packages with errors of vet, for which plain go test fails
	Stopped  int             // exit code for which an [Interruption] asks; 0: for none
}

// Interruption is the cause of the end of a context, such as a signal, that determines the exit code of a campaign.
type Interruption interface {
	error
	// ExitCode returns the exit code of a campaign without a finding that it ended before the time was over; 0: that of one that came to
	// its end.
	ExitCode() int
}

// noteInterruption returns the exit code for which the cause of the end of ctx asks, and warns of it; 0: for none.
func noteInterruption(ctx context.Context, warn func(text string)) (code int) {
	var cause Interruption
	if errors.As(context.Cause(ctx), &cause) {
		code = cause.ExitCode()
	}
	if code != 0 {
		warn(fmt.Sprintf("the campaign was %v; without a finding its exit code is %d", cause, code))
	}
	return code
}

// TargetSummary is the result of a target.
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

// CountOutside returns the number of targets outside of the main modules with a result.
func (s Summary) CountOutside(want event.Result) (n int) {
	for _, t := range s.Targets {
		if t.Result == want && t.Target.Outside != nil {
			n++
		}
	}
	return n
}

// ExitCode returns the exit code of gnaw fuzz. Nobody can fix a dependency in a commit of the main module, so what becomes of its targets
// does not count, except for bugs if the user asks for that.
func (s Summary) ExitCode() int {
	own := func(want event.Result) int { return s.Count(want) - s.CountOutside(want) }
	switch {
	case own(event.Bug) > 0, s.Outside && s.Count(event.Bug) > 0, own(event.Fails) > 0, s.Vet > 0:
		return exitcode.Finding
	case own(event.Unusable) > 0 || s.Broken > 0:
		return exitcode.Internal
	case s.Until && s.Missed == 0: // it ends before all targets had a turn
		return exitcode.OK
	case own(event.Unreached) > 0, s.Until:
		return exitcode.Unreached
	}
	return s.Stopped
}
