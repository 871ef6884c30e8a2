package event

import "github.com/gnaw-fuzz/gnaw/finding"

// Run is the state of fuzzing one target.
type Run struct {
	Instrumented bool   `json:"instrumented"` // the test binary counts edges
	WarmingUp    bool   `json:"warming_up"`   // the warm-up is not over
	WarmDone     int    `json:"warm_done"`    // seeds and cached entries that were executed
	WarmTotal    int    `json:"warm_total"`   // seeds and cached entries that there are
	Minimizing   bool   `json:"minimizing"`   // a worker minimizes a failing input
	Workers      int    `json:"workers"`      // of this target
	Execs        uint64 `json:"execs"`        // executions
	Edges        int    `json:"edges"`        // counters that were hit
	Buckets      int    `json:"buckets"`      // hit-count buckets that were seen
	Entries      int    `json:"entries"`      // in the corpus
	New          int    `json:"new_entries"`  // of these, found by this run; all are on disk

	// Rerun counts the executions of the drift check: a worker that has executed other inputs executes an entry again. Repeated counts those
	// of them that showed all features for which the entry is kept.
	Rerun    int `json:"rerun_entries"`
	Repeated int `json:"repeated_entries"`
}

// Loading is the progress of reading the corpus cache of a target.
type Loading struct {
	Subject
	Done  int `json:"done"` // files
	Total int `json:"total"`
}

// Name implements [Event].
func (Loading) Name() string { return "loading" }

// WarmUp says that the corpus of a target is loaded and its warm-up begins.
type WarmUp struct {
	Subject
	Run
}

// Name implements [Event].
func (WarmUp) Name() string { return "warm_up" }

// WarmedUp says that each seed and each cached entry of a target was executed once.
type WarmedUp struct {
	Subject
	Run
}

// Name implements [Event].
func (WarmedUp) Name() string { return "warmed_up" }

// Progress is the state of a target while it is fuzzed, or at the end.
type Progress struct {
	Subject
	Run
	Spent float64 `json:"worker_seconds,omitempty"` // time of workers in the finished turns of a campaign
}

// Name implements [Event].
func (Progress) Name() string { return "progress" }

// Turn says that workers begin or end a turn with a target.
type Turn struct {
	Subject
	Slots []int  `json:"worker_numbers"` // numbers of the workers, from 0
	Execs uint64 `json:"execs"`          // executions of the target until now
	Over  bool   `json:"over,omitempty"`

	// These fields are there if the turn is over.
	Done    bool    `json:"done,omitempty"`              // the target gets no more turns
	Turns   int     `json:"turns,omitempty"`             // that are over
	Seconds float64 `json:"seconds,omitempty"`           // of the turns that are over
	Spent   float64 `json:"worker_seconds,omitempty"`    // of all workers in these turns
	Next    float64 `json:"next_edge_seconds,omitempty"` // expected time of one worker to the next new edge; 0: unknown
	Low     float64 `json:"next_edge_low,omitempty"`     // 10th percentile of that time
	High    float64 `json:"next_edge_high,omitempty"`    // 90th percentile
	Quiet   bool    `json:"quiet,omitempty"`             // no new edge is expected
}

// Name implements [Event].
func (Turn) Name() string { return "turn" }

// SeedFailed says that a target fails with an input that the user gave.
type SeedFailed struct {
	Subject
	Seed string `json:"seed"` // "seed#0" for the first one of F.Add; otherwise the path of a file
}

// Name implements [Event].
func (SeedFailed) Name() string { return "seed_failed" }

// Minimize says that a failing input, which is already on disk, is being minimized.
type Minimize struct {
	Subject
	Size int `json:"size"` // of its file in bytes
}

// Name implements [Event].
func (Minimize) Name() string { return "minimize" }

// Grace says that a target has failed, and for how long it is fuzzed on to find other failures.
type Grace struct {
	Subject
	Seconds float64 `json:"seconds"`
	Again   bool    `json:"again,omitempty"` // it is not the first failure
}

// Name implements [Event].
func (Grace) Name() string { return "grace" }

// OverLimit says that an input needs more memory than the limit. Fuzzing continues.
type OverLimit struct {
	Subject
	Message string `json:"message"`
	Path    string `json:"path,omitempty"` // of the file with the input; empty: none could be written
}

// Name implements [Event].
func (OverLimit) Name() string { return "over_limit" }

// Failure is a finding as the engine has replayed it. `gnaw test` publishes it; a campaign publishes a [Finding] instead, which has a
// record in the history.
type Failure struct {
	Subject
	Kind   finding.Kind `json:"kind"`
	Input  string       `json:"input,omitempty"`   // the file with the input, or the name of the seed; empty: no file could be written
	Flaky  bool         `json:"flaky,omitempty"`   // it did not fail in each replay
	NotRun string       `json:"not_run,omitempty"` // why go test does not run the input; empty: it does
	Count  int          `json:"count,omitempty"`   // of -count, without which go test ends before the failure shows; 0: it runs the input once
}

// Name implements [Event].
func (Failure) Name() string { return "failure" }
