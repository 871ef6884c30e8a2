// Package event defines the events that gnaw reports while it fuzzes: plain values without functions and without pointers into live
// state. A [Bus] delivers them to its subscribers. The engine, the campaign and all renderers use the same types.
//
// event.go has the events of a campaign, run.go those of one target, and snapshot.go the state of a campaign at one time.
//
// Each event has a JSON form, see [Encode] and [Decode]. It is part of the interface: docs/campaigns.md describes it.
package event

import (
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Event is something that happened. Its types are those of this package with the method Name.
type Event interface {
	// Name returns the name of the kind of event in JSON.
	Name() string
}

// Subject is the fuzz target that an event is about, with the folder of its package.
type Subject struct {
	Package string `json:"package,omitempty"` // import path
	Folder  string `json:"folder,omitempty"`  // of the package, relative to the root of the module, with slashes; absolute outside of it
	Func    string `json:"target,omitempty"`  // name of the function; empty: the event is about the package
}

// Target returns the name of the target.
func (s Subject) Target() fuzz.Name { return fuzz.Name{Package: s.Package, Func: s.Func} }

// SubjectOf returns the subject of a target for which the folder of the package is not known.
func SubjectOf(n fuzz.Name) Subject { return Subject{Package: n.Package, Func: n.Func} }

// Plan lists the targets of a campaign. A campaign publishes it before the first build.
type Plan struct {
	Targets []Subject `json:"targets"`
}

// Name implements [Event].
func (Plan) Name() string { return "plan" }

// Build says that the build of the test binary of a package begins.
type Build struct {
	Package string `json:"package"`
	Race    bool   `json:"race,omitempty"`   // with the race detector
	Cover   bool   `json:"cover,omitempty"`  // with counters for statements
	Number  int    `json:"number,omitempty"` // counts the builds of this kind from 1, in the order in which they begin; 0: not counted
	Total   int    `json:"total,omitempty"`  // largest Number that the campaign can reach
}

// Name implements [Event].
func (Build) Name() string { return "build" }

// Building lists the test binaries that are being built. A campaign publishes it every second during a build, and when a build ends.
type Building struct {
	Packages []string `json:"packages,omitempty"` // in the order in which their builds began; empty: no binary is being built
	Race     bool     `json:"race,omitempty"`     // with the race detector
	Cover    bool     `json:"cover,omitempty"`    // with counters for statements
	Done     int      `json:"done"`               // builds that have ended, including those that failed
	Total    int      `json:"total"`              // as in [Build]
	Seconds  float64  `json:"seconds"`            // since the first of these builds began

	// Ready is how many of the Needed packages of the first of these builds are compiled, those of the standard library included. Needed
	// is 0 before the first of them is ready, and if the numbers are not known.
	Ready  int `json:"packages_ready,omitempty"`
	Needed int `json:"packages_needed,omitempty"`
}

// Name implements [Event].
func (Building) Name() string { return "building" }

// Start says that fuzzing begins.
type Start struct {
	Module  string  `json:"module"`
	Targets int     `json:"targets"`
	Workers int     `json:"workers"`
	Seconds float64 `json:"seconds,omitempty"`      // that are left for all targets together; 0: no limit
	Each    float64 `json:"each_seconds,omitempty"` // for each target
	Execs   uint64  `json:"each_execs,omitempty"`
	Quiet   bool    `json:"until_quiet,omitempty"`
	Cover   bool    `json:"cover,omitempty"`         // statements are counted
	Spots   int     `json:"spots,omitempty"`         // that -focus names
	Until   bool    `json:"until_reached,omitempty"` // the campaign ends when each spot is reached
	Spent   float64 `json:"seconds_spent,omitempty"` // of fuzzing, before the campaign was killed
}

// Name implements [Event].
func (Start) Name() string { return "start" }

// NoticeKind is the kind of a [Notice].
type NoticeKind string

// The kinds of notices.
const (
	Warning NoticeKind = "warning" // the user should read it; fuzzing continues
	Aside   NoticeKind = "aside"   // a target or package cannot be fuzzed
	Skipped NoticeKind = "skipped" // a target calls f.Skip
	Quiet   NoticeKind = "quiet"   // no new edge is expected of a target
	Smaller NoticeKind = "smaller" // a finding has a smaller input
	Resume  NoticeKind = "resume"  // a campaign that was killed is resumed
	Paused  NoticeKind = "paused"  // the campaign is paused: no target is fuzzed
	Resumed NoticeKind = "resumed" // the pause is over
	Failing NoticeKind = "fails"   // plain go test of a target or package fails, and no finding is the reason
	Focus   NoticeKind = "focus"   // which targets can reach the spots of -focus
	Refused NoticeKind = "refused" // gnaw did not let an input do something outside of its process
	// Distilled says that inputs of the corpus were removed, because of -maxcorpus.
	Distilled NoticeKind = "distilled"
)

// NoticeKinds returns all kinds of notices.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{Warning, Aside, Skipped, Quiet, Smaller, Resume, Paused, Resumed, Failing, Focus, Refused, Distilled}
}

// Notice is a sentence about a target, a package or the campaign.
type Notice struct {
	What NoticeKind `json:"-"` // the name of the event in JSON
	Subject
	Text string `json:"text"`
}

// Name implements [Event].
func (n Notice) Name() string { return string(n.What) }

// Entry is a new entry of the corpus.
type Entry struct {
	Subject
	Path    string `json:"path"`    // of its file; empty: it has none
	Size    int    `json:"size"`    // of its file in bytes
	Buckets int    `json:"buckets"` // new hit-count buckets
	Edges   int    `json:"edges"`   // new edges

	// Technique names what made the input: mutation (operators alone), or one of the techniques of -without. It is empty if that is not
	// known, and for an entry that another process has found.
	Technique string `json:"technique,omitempty"`
}

// Name implements [Event].
func (Entry) Name() string { return "entry" }

// Reached is the number of statements that entries reach. Both numbers are 0 until the first count, and always without -cover.
type Reached struct {
	Covered    int `json:"covered_statements,omitempty"`
	Statements int `json:"statements,omitempty"` // in the packages that are covered
}

// Cover says that entries of a target reach statements for the first time.
type Cover struct {
	Subject
	Reached
}

// Name implements [Event].
func (Cover) Name() string { return "cover" }

// Spot is a piece of code that -focus names.
type Spot struct {
	Where    string `json:"where"`    // the value of -focus
	File     string `json:"file"`     // relative to the root of the module, with slashes; absolute outside of it
	Line     int    `json:"line"`     // from 1
	Function string `json:"function"` // import path, and the names of type and function
}

// SpotReached says that an input reaches a spot for the first time.
type SpotReached struct {
	Subject
	Spot
	Literals []string `json:"literals"`          // the arguments as Go expressions
	Path     string   `json:"path,omitempty"`    // of the file with the input, or the name of a seed such as "seed#0"; empty: it has none
	Given    bool     `json:"given,omitempty"`   // the input is a seed, or one of an earlier run
	Finding  bool     `json:"finding,omitempty"` // the input fails at the spot
	Left     int      `json:"left"`              // spots that no input has reached
}

// Name implements [Event].
func (SpotReached) Name() string { return "spot_reached" }

// SpotEnd is the result of a spot at the end of a campaign.
type SpotEnd struct {
	Subject // of the input; empty: there is none
	Spot
	Reached  bool      `json:"reached"`
	Finding  bool      `json:"finding,omitempty"`  // the input fails at the spot
	Literals []string  `json:"literals,omitempty"` // the smallest input that reaches the spot, or the one that came nearest
	Path     string    `json:"path,omitempty"`     // as in [SpotReached]
	Distance int       `json:"distance,omitempty"` // conditions between that input and the spot; 0 with Reached false: no input came near
	Met      Condition `json:"met,omitzero"`       // the condition that turned out wrong for the input
}

// Condition is a condition in the source.
type Condition struct {
	Text string `json:"text,omitempty"` // empty: it is no expression
	File string `json:"file"`           // as in [Spot]
	Line int    `json:"line"`
}

// Name implements [Event].
func (SpotEnd) Name() string { return "spot" }

// Status has the totals of a campaign.
type Status struct {
	Seconds  float64 `json:"seconds"` // since fuzzing began
	Begun    int     `json:"targets_begun"`
	Targets  int     `json:"targets"`
	Execs    uint64  `json:"execs"`
	Rate     float64 `json:"execs_per_second"` // lately; in the last status, the mean of all fuzzing
	Edges    int     `json:"edges"`
	Entries  int     `json:"entries"`
	Findings int     `json:"findings"`
	Left     float64 `json:"seconds_left,omitempty"`     // 0: no limit, or no time is left
	Ran      uint64  `json:"execs_since_start"`          // those of Execs by this process, without those before a kill
	Checking int     `json:"workers_checking,omitempty"` // workers that execute nothing new, because they check what was found
	Last     bool    `json:"last,omitempty"`             // fuzzing is over
	Reached          // by entries of all targets; a statement counts once
}

// Name implements [Event].
func (Status) Name() string { return "status" }

// Finding is a finding with its replays.
type Finding struct {
	finding.Record
	Short      string   `json:"short_id"`
	Literals   []string `json:"literals"` // the arguments as Go expressions
	Rerun      string   `json:"rerun"`    // a command for the shell
	Known      *Known   `json:"known,omitempty"`
	Unreadable string   `json:"unreadable,omitempty"` // why this version cannot read the record
}

// Name implements [Event].
func (Finding) Name() string { return "finding" }

// Again says that a target shows a finding for which there is no other [Finding]: another target has shown it first, or it is lost.
type Again struct {
	Subject
	ID     string `json:"id"`
	Result Result `json:"result"`         // that the finding makes for the target: Bug, Flaky or KnownOnly
	Lost   bool   `json:"lost,omitempty"` // a killed campaign has shown it, and the history no longer has it
}

// Name implements [Event].
func (Again) Name() string { return "finding_again" }

// IsKnown reports whether the list of known findings has the finding, with an entry that has not expired.
func (f Finding) IsKnown() bool { return f.Known != nil && !f.Known.Expired }

// IsBug reports whether the finding counts: it is neither flaky nor unproven nor known.
func (f Finding) IsBug() bool { return f.Counts() && !f.IsKnown() }

// Known is an entry of the list of known findings.
type Known struct {
	Reason  string `json:"reason"`
	Until   string `json:"until,omitempty"`   // last day, as in "2027-03-01"
	Module  string `json:"module,omitempty"`  // of the dependency for whose findings it holds; empty: for all findings with the ID
	Version string `json:"version,omitempty"` // of the module; empty: all versions
	Expired bool   `json:"expired"`
}

// Remark returns a sentence about the finding of the entry.
func (k Known) Remark() string {
	switch {
	case k.Until == "":
		return "not to be reported: " + k.Reason
	case k.Expired:
		return "was not to be reported until " + k.Until + ": " + k.Reason
	}
	return "not to be reported until " + k.Until + ": " + k.Reason
}

// Result is the result of a target.
type Result string

// The results.
const (
	Clean     Result = "clean"     // no finding
	Bug       Result = "bug"       // a finding that counts
	Flaky     Result = "flaky"     // only flaky findings
	Skip      Result = "skipped"   // it calls f.Skip
	Unusable  Result = "unusable"  // it could not be fuzzed
	KnownOnly Result = "known"     // only known findings
	Fails     Result = "fails"     // plain go test with its seeds fails, and no finding is the reason
	Unreached Result = "unreached" // the campaign ended before all its seeds were executed
)

// TargetEnd is the result of a target at the end of a campaign.
type TargetEnd struct {
	Subject
	Result  Result  `json:"result"`
	Reason  string  `json:"reason,omitempty"` // why it was not fuzzed, or not reached
	Seconds float64 `json:"seconds"`          // of its turns
	Turns   int     `json:"turns"`
	Execs   uint64  `json:"execs"`
	Edges   int     `json:"edges"`
	Entries int     `json:"entries"`
	New     int     `json:"new_entries"` // those of Entries that this campaign found
	Bugs    int     `json:"bugs"`
	Next    float64 `json:"next_edge_seconds,omitempty"` // expected time of one worker to the next new edge; 0: unknown
	Quiet   bool    `json:"quiet,omitempty"`             // no new edge is expected
	Reached
}

// Name implements [Event].
func (TargetEnd) Name() string { return "target" }

// End is the last event of a campaign.
type End struct {
	Seconds   float64 `json:"seconds"`
	Targets   int     `json:"targets"`
	Buggy     int     `json:"with_bug"` // targets
	Flaky     int     `json:"with_flaky"`
	Clean     int     `json:"clean"`
	Skipped   int     `json:"skipped"`
	Unusable  int     `json:"unusable"`
	Known     int     `json:"with_known_only"`
	Unreached int     `json:"unreached"`
	Fails     int     `json:"failing,omitempty"`            // in plain go test, and no finding is the reason
	Vet       int     `json:"vet_errors,omitempty"`         // packages for which plain go test fails because of vet
	Findings  int     `json:"findings"`                     // that count
	Outside   int     `json:"buggy_dependencies,omitempty"` // of Buggy, those of dependencies, if they do not count for the exit code
	Busy      float64 `json:"busy"`                         // share of the workers' time that was used, from 0 to 1
	Exit      int     `json:"exit_code"`
}

// Name implements [Event].
func (End) Name() string { return "end" }
