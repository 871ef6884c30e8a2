package finding

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Record is a finding as it is kept and shown: plain data, without anything that holds only in the process that found
// it. Paths have slashes and are relative to the root of the module if they lie below it.
type Record struct {
	ID       string    `json:"id"` // 16 hex digits, see ID
	Kind     Kind      `json:"kind"`
	Message  string    `json:"message"`                // one line
	Place    string    `json:"place"`                  // as Signature.Place; may be empty
	Calls    []Call    `json:"frames"`                 // of the user's code, the guilty one first
	Others   []Call    `json:"other_frames,omitempty"` // of a race, the frames of the other side
	Package  string    `json:"package"`                // import path
	Folder   string    `json:"folder"`                 // of the package
	Target   string    `json:"target"`
	Input    string    `json:"input"`          // in the encoding of testdata/fuzz
	Path     string    `json:"path"`           // file with the input; empty: it is a seed of F.Add
	Seed     string    `json:"seed,omitempty"` // name of the seed that failed; empty: the engine made the input
	Size     int       `json:"size"`           // of the input in bytes
	Original int       `json:"original_size"`  // of the input as it was found
	Minimize float64   `json:"minimize_seconds"`
	Output   string    `json:"output"`  // all that the failing execution printed
	Replays  int       `json:"replays"` // how often it was replayed in a fresh process
	Repeats  int       `json:"repeats"` // how many of them failed
	Flaky    bool      `json:"flaky"`   // not all of them failed
	First    time.Time `json:"first_seen"`
	Last     time.Time `json:"last_seen"`
	Times    int       `json:"times_seen"`
	Go       string    `json:"go"`                // version of the toolchain, as in "go1.26.1"
	Flags    []string  `json:"flags,omitempty"`   // of the go command, with which go test shows the finding
	Commit   string    `json:"commit,omitempty"`  // of the module's git work tree; empty: there is none
	Measure  *Measure  `json:"measure,omitempty"` // what an oracle looked for; nil: plain go test fails
}

// MarshalText writes the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("there is no kind of finding called %q", text)
	}
	*k = Kind(i)
	return nil
}

// Title is the message without the prefix that every error of the runtime has.
func (r Record) Title() string {
	title := strings.TrimPrefix(strings.TrimPrefix(r.Message, "fatal error: "), "runtime error: ")
	if title == "" {
		return r.Kind.String()
	}
	return title
}
