package cli

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

const (
	// proofs is how often a finding is replayed. One that fails in nine of ten processes is taken for a sure one with
	// p=0.73, one that fails in every other with p=0.13.
	proofs = 3
	// slowProof ends the replays: who waits ten seconds for a hang shall not wait thirty.
	slowProof = 5 * time.Second
)

// witness remembers of a run what its finding does not tell: how often it was replayed, how long minimizing took.
type witness struct {
	mu               sync.Mutex
	replays, repeats int
	minimizing       time.Time
	minimized        time.Duration
	started          func(snapshot func() engine.Snapshot) // called when the run starts; nil: nobody wants to know
}

// event takes note of an event of the engine.
func (w *witness) event(e engine.Event) {
	switch e := e.(type) {
	case engine.Started:
		if w.started != nil {
			w.started(e.Snapshot)
		}
	case engine.Minimizing:
		w.mu.Lock()
		w.minimizing = time.Now()
		w.mu.Unlock()
	case engine.Found:
		w.endMinimizing()
	}
}

// endMinimizing says that minimizing is over; the first time counts.
func (w *witness) endMinimizing() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.minimizing.IsZero() && w.minimized == 0 {
		w.minimized = time.Since(w.minimizing)
	}
}

// replay replays a finding some times and reports whether it failed each time.
func (w *witness) replay(ctx context.Context, once func(context.Context) (bool, error)) (failed bool, err error) {
	w.endMinimizing()
	replays, repeats := 0, 0
	for replays < proofs {
		start := time.Now()
		failed, err := once(ctx)
		if err != nil && replays == 0 {
			return false, err
		}
		if err != nil {
			break // what has been seen until now is good
		}
		replays++
		if failed {
			repeats++
		}
		if time.Since(start) > slowProof {
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replays, w.repeats = replays, repeats
	return repeats == replays, nil
}

// prove replays what the engine had no time for: a seed, or a finding of the last moment. What needed too much memory is
// left out: plain go test has no limit, so it would pass on a machine that is large enough.
func (w *witness) prove(ctx context.Context, f *finding.Finding, once func(ctx context.Context, name string) (bool, error)) {
	if w.replays > 0 || f.Kind == finding.Memory || f.Path == "" && f.Seed == "" {
		return
	}
	name := filepath.Base(f.Path)
	if f.Seed != "" {
		name = filepath.Base(f.Seed)
	}
	failed, err := w.replay(ctx, func(ctx context.Context) (bool, error) { return once(ctx, name) })
	f.Flaky = err == nil && !failed
}

// recordOf makes a record of a finding.
func recordOf(p project, t build.Target, f *finding.Finding, w *witness) finding.Record {
	source := p.source(t.Package, t.Dir)
	calls := source.Locate(finding.Calls(f.Kind, f.Output))
	message := f.Message
	if message == "" { // the process has ended without a word
		first, _, _ := strings.Cut(f.Output, "\n")
		message = first[strings.LastIndex(first, ": ")+1:]
	}
	message = strings.TrimSpace(message)
	path := f.Path
	if f.Seed != "" && filepath.Base(f.Seed) != f.Seed { // a seed of F.Add has no folder
		path = f.Seed
	}
	r := finding.Record{
		ID:   finding.ID(finding.Key(f.Kind, t.Package+"."+t.Name, calls, message)),
		Kind: f.Kind, Message: message, Place: f.Place, Calls: calls,
		Package: t.Package, Folder: source.Relative(t.Dir), Target: t.Name,
		Size: f.Input.Size(), Original: f.Original.Size(), Minimize: w.minimized.Seconds(),
		Output: f.Output, Replays: w.replays, Repeats: w.repeats, Flaky: f.Flaky,
		First: time.Now(), Last: time.Now(), Times: 1,
	}
	if f.Input != nil {
		r.Input = string(input.Marshal(f.Input))
	}
	if f.Seed != "" {
		r.Seed = filepath.Base(f.Seed)
	}
	if path != "" {
		r.Path = source.Relative(filepath.Join(t.Dir, "testdata", "fuzz", t.Name, filepath.Base(path)))
	}
	return r
}
