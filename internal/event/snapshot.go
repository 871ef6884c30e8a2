package event

import "time"

// Snapshot is the state of a campaign at one time. It shares no memory with the campaign.
type Snapshot struct {
	At      time.Time     `json:"at"`
	Module  string        `json:"module"`
	Number  int64         `json:"campaign,omitempty"` // of the campaign in the history; 0: the history does not have it, or not yet
	Paused  bool          `json:"paused"`             // no turn runs until somebody resumes the campaign
	Pausing bool          `json:"pausing"`            // the campaign will be paused when the turns that run are over
	Totals  Status        `json:"totals"`
	Builds  []BuildState  `json:"builds"`
	Targets []TargetState `json:"targets"`
	Workers []WorkerState `json:"workers"`

	Findings []Finding `json:"findings"` // the latest ones, the latest one last
}

// BuildState is the state of a test binary.
type BuildState struct {
	Package string `json:"package"`
	Race    bool   `json:"race,omitempty"`
	Done    bool   `json:"done"`
	Error   string `json:"error,omitempty"`
}

// TargetState is the state of a target.
type TargetState struct {
	Subject
	Run
	Reached
	Result    Result  `json:"result"`             // until now; Clean as long as there is no other
	Reason    string  `json:"reason,omitempty"`   // why it is set aside
	Begun     bool    `json:"begun"`              // a process of it has reached F.Fuzz
	Done      bool    `json:"done"`               // it gets no more turns
	Turns     int     `json:"turns"`              // that are over
	Seconds   float64 `json:"seconds"`            // of the turns that are over
	Share     float64 `json:"share"`              // of the time of all workers, from 0 to 1
	State     string  `json:"state"`              // a phase of package board
	Rate      float64 `json:"rate"`               // executions per second; of a target that has ended, the mean of its turns
	SinceEdge float64 `json:"seconds_since_edge"` // by the clock, since the last new edge; 0: unknown
	Bugs      int     `json:"bugs"`
	Flaky     int     `json:"flaky"`
	Known     int     `json:"known"`
	Next      float64 `json:"next_edge_seconds,omitempty"` // expected time of one worker to the next new edge; 0: unknown
	NextLow   float64 `json:"next_edge_low,omitempty"`     // 10th percentile of that time
	NextHigh  float64 `json:"next_edge_high,omitempty"`    // 90th percentile
	Quiet     bool    `json:"quiet,omitempty"`             // no new edge is expected
}

// WorkerState is what a worker of the pool does.
type WorkerState struct {
	Number int     `json:"number"` // from 0
	Doing  Doing   `json:"doing"`
	Target Subject `json:"target"` // of what it does; empty when it is idle
	Since  float64 `json:"since"`  // seconds for which it has been doing it
}

// Doing is what a worker does.
type Doing string

// What a worker does.
const (
	Idle       Doing = "idle"
	Fuzzing    Doing = "fuzz"
	WarmingUp  Doing = "warm-up"
	Minimizing Doing = "minimize"
)
