package web

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// stamp returns a time in the form of the API.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// campaignRow is a campaign in a list.
type campaignRow struct {
	ID         campaignID    `json:"id"`
	Module     string        `json:"module"`
	Packages   string        `json:"packages"`
	Args       string        `json:"args"`
	Go         string        `json:"go"`
	Commit     string        `json:"commit"`
	Started    string        `json:"started"`
	Ended      *string       `json:"ended"`
	State      campaignState `json:"state"`
	Seconds    float64       `json:"seconds"`
	Targets    int           `json:"targets"`
	Execs      uint64        `json:"execs"`
	Edges      int           `json:"edges"`
	Entries    int           `json:"entries"`
	Findings   int           `json:"findings"`
	Statements int           `json:"statements"`
	Covered    int           `json:"covered"`
}

// campaignID is the number of a campaign in the history. 0 is the campaign of this process if the history does not have it, or not yet.
type campaignID int64

// MarshalJSON writes the number, or liveID.
func (id campaignID) MarshalJSON() ([]byte, error) {
	if id == 0 {
		return json.Marshal(liveID)
	}
	return json.Marshal(int64(id))
}

// campaignState is the state of a campaign.
type campaignState string

const (
	running campaignState = "running"
	ended   campaignState = "ended"
	killed  campaignState = "killed"
)

// rowOf returns the row of a campaign of the history.
func (s *data) rowOf(c store.Summary) campaignRow {
	row := campaignRow{
		ID: campaignID(c.ID), Module: c.Module, Packages: c.Packages, Args: c.Args + " in " + c.Dir, Go: c.Go, Commit: c.Commit, Started: stamp(c.Start), State: killed,
		Seconds: c.Spent.Seconds(), Targets: c.Targets, Execs: c.Execs, Edges: c.Edges, Entries: c.Entries, Findings: c.Findings,
		Statements: c.Statements, Covered: c.Covered,
	}
	switch {
	case !c.Ended.IsZero():
		at := stamp(c.Ended)
		row.State, row.Ended = ended, &at
	case s.Alive != nil && c.Run != "" && s.Alive(c.Run):
		row.State = running
	}
	return row
}

// targetRow is a target of a campaign.
type targetRow struct {
	event.TargetState
	Key     string      `json:"key"`
	Package string      `json:"package"` // this and the fields below are in TargetState too, where the names can be left out and the state is any text
	Target  string      `json:"target"`
	State   board.Phase `json:"state"`
}

// rowOfTarget returns the row of a target.
func rowOfTarget(t event.TargetState) targetRow {
	return targetRow{t, keyOf(t.Subject.Target()), t.Package, t.Func, board.Phase(t.State)}
}

// keyOf returns the name of a target in addresses.
func keyOf(target fuzz.Name) string {
	return base64.RawURLEncoding.EncodeToString([]byte(target.Package + "\n" + target.Func))
}

// readKey is the inverse of keyOf. ok is false if the key cannot be that of a target.
func readKey(key string) (target fuzz.Name, ok bool) {
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(key, "="))
	if err != nil {
		return target, false
	}
	target.Package, target.Func, ok = strings.Cut(string(text), "\n")
	return target, ok && isLocal(target.Package) && isName(target.Func)
}

// findingRow is a finding in a list.
type findingRow struct {
	ID      string       `json:"id"`
	Short   string       `json:"short_id"`
	Kind    finding.Kind `json:"kind"`
	Place   string       `json:"place"`
	Message string       `json:"message"`
	Package string       `json:"package"`
	Target  string       `json:"target"`
	Module  string       `json:"module,omitempty"`
	First   string       `json:"first"`
	Last    string       `json:"last"`
	Times   int          `json:"times"`
	Flaky   bool         `json:"flaky"`
	Known   *event.Known `json:"known"`
	Counts  bool         `json:"counts"`
}

// rowOfFinding returns the row of a finding.
func rowOfFinding(e event.Finding, module string) findingRow {
	return findingRow{
		ID: e.ID, Short: e.Short, Kind: e.Kind, Place: e.Place, Message: e.Message, Package: e.Package, Target: e.Record.Target, Module: module,
		First: stamp(e.First), Last: stamp(e.Last), Times: e.Times, Flaky: e.Flaky, Known: e.Known, Counts: e.IsBug(),
	}
}
