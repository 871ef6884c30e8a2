package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
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
	Calls    []Call    `json:"frames"`                 // of the user's code, the place of the failure first
	Others   []Call    `json:"other_frames,omitempty"` // of a race, the frames of the other side
	Package  string    `json:"package"`                // import path
	Folder   string    `json:"folder"`                 // of the package
	Target   string    `json:"target"`
	Input    string    `json:"input"`                 // in the encoding of testdata/fuzz
	More     []Sample  `json:"more,omitempty"`        // other inputs that show it, the smallest first
	Path     string    `json:"path"`                  // file with the input; empty: it is a seed of F.Add, or could not be written
	Kept     string    `json:"kept,omitempty"`        // file with the input elsewhere, as it could not be written where go test reads it
	Why      string    `json:"not_written,omitempty"` // why not; empty: it was written, or is a seed
	Seed     string    `json:"seed,omitempty"`        // name of the seed that failed; empty: the engine made the input
	Size     int       `json:"size"`                  // of the input in bytes
	Original int       `json:"original_size"`         // of the input as it was found
	Minimize float64   `json:"minimize_seconds"`
	Matter   []Matter  `json:"matter,omitempty"`  // which bytes of Input matter, one for each argument; nil: that was not tested
	Output   string    `json:"output"`            // all that the failing execution printed
	Replays  int       `json:"replays"`           // how often it was replayed in a fresh process
	Repeats  int       `json:"repeats"`           // how many of them failed
	Flaky    bool      `json:"flaky"`             // not all of them failed
	NotRun   string    `json:"not_run,omitempty"` // why go test does not run the input, so that a fuzzing process did; empty: it does
	First    time.Time `json:"first_seen"`
	Last     time.Time `json:"last_seen"`
	Times    int       `json:"times_seen"`
	Go       string    `json:"go"`                // version of the toolchain, as in "go1.26.1"
	Flags    []string  `json:"flags,omitempty"`   // of the go command, with which go test shows the finding
	Count    int       `json:"count,omitempty"`   // of -count, without which go test ends before the failure shows; 0: it runs the input once
	Args     []string  `json:"args,omitempty"`    // of the test binary, behind -args
	Environ  []string  `json:"environ,omitempty"` // variables that go test needs for that, as NAME=value
	Commit   string    `json:"commit,omitempty"`  // of the module's git work tree; empty: there is none
	Changed  bool      `json:"changed,omitempty"` // files of that commit were changed
	Measure  *Measure  `json:"measure,omitempty"` // what an oracle looked for; nil: plain go test fails

	Dependency *Dependency `json:"dependency,omitempty"` // whose target it is; nil: of the main module
	Upstream   *Upstream   `json:"upstream,omitempty"`   // how the input of a finding of a dependency runs outside of the main module; nil: it has not run there

	// Unreadable says what of a record that another version has written cannot be read, as in `kind "leap"`. The rest is
	// there. Such a record is shown, and never written.
	Unreadable string `json:"-"`
}

// Dependency is the module of a target that is not of the main module.
type Dependency struct {
	Module  string `json:"module"`         // path; "std" for the standard library
	Version string `json:"version"`        // of the module or the toolchain; "local" for a folder that a replace directive names
	Line    int    `json:"line,omitempty"` // of go.mod that requires the module
	Folder  string `json:"folder"`         // of the package in its module, with slashes
	File    string `json:"file,omitempty"` // with the target if gnaw init has written it, relative to the root of the main module; empty: the dependency contains the target

	Policy []string `json:"policy,omitempty"` // places of the security policy of the module: an absolute file, an address, or both
}

// Sample is another input that shows a finding. It is kept in the history only, and was not minimized or replayed unless a
// finding was made of it.
type Sample struct {
	Package string `json:"package"` // import path
	Folder  string `json:"folder"`  // of the package
	Target  string `json:"target"`
	Input   string `json:"input"` // in the encoding of testdata/fuzz
	Size    int    `json:"size"`  // in bytes

	Dependency *Dependency `json:"dependency,omitempty"` // as in Record
}

// maxSamples is how many inputs a record has besides its own: what three inputs have in common shows where to look, and
// more do not show more.
const maxSamples = 2

// ReadRecord reads a record from JSON, as far as this version understands it: see Record.Unreadable.
func ReadRecord(text []byte) (r Record) {
	if json.Unmarshal(text, &r) == nil {
		return r
	}
	r = Record{}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		r.Unreadable = "all of it"
		return r
	}
	var bad []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one, err := json.Marshal(map[string]json.RawMessage{name: fields[name]})
		next := r
		if err == nil {
			err = json.Unmarshal(one, &next)
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("%s %.100s", name, fields[name]))
			continue
		}
		r = next
	}
	r.Unreadable = strings.Join(bad, ", ")
	return r
}

// Counts reports whether the record is of a bug: it failed each time in a fresh process.
func (r Record) Counts() bool { return !r.Flaky && r.Replays > 0 }

// sample is the record's own input as a sample.
func (r Record) sample() Sample {
	return Sample{r.Package, r.Folder, r.Target, r.Input, r.Size, r.Dependency}
}

// Merge returns the record with what an older one of the same finding knows: when it was seen, other inputs, and that the
// input is no seed of the user's if it is what gnaw wrote then. The older one has the later time if the clock was set back.
func (r Record) Merge(old Record) Record {
	r.Times = old.Times + 1
	if old.First.Before(r.First) {
		r.First = old.First
	}
	if old.Last.After(r.Last) {
		r.Last = old.Last
	}
	if r.Path == old.Path && r.Path != "" && old.Seed == "" {
		r.Seed, r.Original, r.Minimize = "", old.Original, old.Minimize
	}
	if r.Matter == nil && !r.Flaky && r.Input == old.Input && r.Target == old.Target && r.Package == old.Package {
		r.Matter = old.Matter
	}
	r.More = append(slices.Clone(r.More), old.More...)
	return r.upstreamOf(old).AddSamples(old.sample())
}

// Renew returns the record with when an older one of the same finding was seen, and its inputs.
func (r Record) Renew(old Record) Record {
	r.First, r.Last, r.Times = old.First, old.Last, old.Times
	r.More = append(slices.Clone(r.More), old.More...)
	return r.upstreamOf(old).AddSamples(old.sample())
}

// upstreamOf returns the record with the field Upstream of an older record of the same finding, if both are of the same version of the
// dependency.
func (r Record) upstreamOf(old Record) Record {
	if r.Upstream == nil && r.Dependency != nil && old.Dependency != nil && r.Dependency.Version == old.Dependency.Version {
		r.Upstream = old.Upstream
	}
	return r
}

// AddSamples returns the record with more inputs, of which the smallest are kept.
func (r Record) AddSamples(more ...Sample) Record {
	all := append(slices.Clone(r.More), more...)
	slices.SortStableFunc(all, func(a, b Sample) int { return cmp.Compare(a.Size, b.Size) })
	r.More = nil
	own := r.sample()
	for _, s := range all {
		known := func(k Sample) bool { return k.Target == s.Target && k.Package == s.Package && k.Input == s.Input }
		if s.Input == "" || known(own) || slices.ContainsFunc(r.More, known) || len(r.More) == maxSamples {
			continue
		}
		r.More = append(r.More, s)
	}
	return r
}

// Of returns the record as if that sample were its input.
func (r Record) Of(s Sample) Record {
	r.Package, r.Folder, r.Target, r.Input, r.Size, r.Dependency = s.Package, s.Folder, s.Target, s.Input, s.Size, s.Dependency
	r.Path, r.Kept, r.Why, r.Seed, r.Upstream, r.Matter = "", "", "", "", nil, nil
	return r
}

// MarshalText writes the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	named, ok := KindNamed(string(text))
	if !ok {
		return fmt.Errorf("there is no kind of finding called %q", text)
	}
	*k = named
	return nil
}
