package campaign

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// coverInterval is the time between two points of the coverage over time.
const coverInterval = 10 * time.Second

// Findings is the part of a [History] that has the findings of all campaigns. Its methods may be called from any goroutine. None has an error:
// fuzzing continues whatever becomes of the history, which reports by itself what it cannot do.
type Findings interface {
	// Save records a finding, and returns it with what the history knows about it.
	Save(r finding.Record) finding.Record
	// Renew replaces the input of a finding.
	Renew(r finding.Record)
	// Add adds inputs to a finding.
	Add(id string, more ...finding.Sample)
	// Find returns the finding with an ID.
	Find(id string) (r finding.Record, ok bool)
	// Short returns the short form of an ID.
	Short(id string) string
	// Keeps reports whether it keeps what it gets, so that a file with the input of a finding may be removed.
	Keeps() bool
}

// History records one campaign. Start is called first and End last, by one goroutine, and the other methods between them from any goroutine.
type History interface {
	Findings
	// Start records the start of a campaign, or resumes one that was killed. Then k.ID is not 0, and list has the progress of its targets.
	Start(ctx context.Context, o Options) (k store.Killed, list []store.Progress)
	// Number returns the number of the campaign; 0: it has none, or none yet. Number returns at once.
	Number() int64
	// SaveProgress records the time of fuzzing and the progress of some targets.
	SaveProgress(spent time.Duration, list []store.Progress)
	// SavePoint records a point of the coverage over time.
	SavePoint(p store.Point)
	// SaveTotals records the totals of the campaign, and the entries that it has found since the last call.
	SaveTotals(t store.Totals, entries []store.Entry)
	// SaveResults records the results of some targets.
	SaveResults(list []store.Result)
	// SaveSources records which statements the entries of a target reach.
	SaveSources(t build.Target, list coverage.Sources)
	// SaveFuzzed records that a target of a dependency was fuzzed.
	SaveFuzzed(d store.Dependency)
	// End records the end of the campaign.
	End()
}

// NewHistory returns the history of a campaign in a database, which open opens. After the first error, which it publishes as a warning, it
// records nothing until the end of the campaign. Then it tries again to record the findings and the end.
func NewHistory(open OpenStore) History { return &history{open: open} }

// OpenStore opens the database of the history.
type OpenStore func(ctx context.Context) (*store.Store, error)

// history is a history in a database.
type history struct {
	open OpenStore

	// Start sets these fields.
	module  project.Module
	version string // of the toolchain
	commit  string
	changed bool // files of the commit were changed
	warn    func(text string)
	began   time.Time // before the first build

	campaign atomic.Int64 // number. Snapshot reads it without mu, which may be held until the database answers

	mu      sync.Mutex
	store   *store.Store               // nil after an error
	files   coverage.Files             // of which test binaries were built
	pending []func(*store.Store) error // changes that could not be written
}

// Start opens the database, and begins or resumes a campaign.
func (h *history) Start(ctx context.Context, o Options) (k store.Killed, list []store.Progress) {
	h.begin(ctx, o)
	return h.start(ctx, o)
}

// begin opens the database.
func (h *history) begin(ctx context.Context, o Options) {
	h.module, h.version, h.warn = o.Module, o.Toolchain.Version, o.warn
	h.began, h.files = time.Now(), coverage.Files{}
	h.commit, h.changed = h.module.Commit(ctx, o.Environ)
	s, err := h.open(ctx)
	if err != nil {
		h.report(err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store = s
}

// start records the start of a campaign, or resumes one that was killed.
func (h *history) start(ctx context.Context, o Options) (k store.Killed, list []store.Progress) {
	c := store.Campaign{
		Module: h.module.Path, Packages: o.Identity.Packages, Start: time.Now(), Go: h.version, Commit: h.commit,
		Args: o.Identity.Args, Dir: o.Dir, Run: o.Identity.Process, Root: o.Module.Root, Cache: o.Toolchain.Cache,
	}
	h.try(func(s *store.Store) error {
		var ok bool
		var err error
		if !o.Identity.Fresh && !o.Fuzzing.Repeatable {
			if k, ok, err = s.Resume(ctx, c, cache.SiteInUse); err == nil && ok {
				list, err = s.Progress(ctx, k.ID)
			}
		}
		if err != nil {
			return err
		}
		// A campaign that never fuzzed, or has used up its time, is not resumed.
		if ok && !k.Seen.IsZero() && (o.Limits.Time == 0 || k.Spent < o.Limits.Time) {
			h.campaign.Store(k.ID)
			return nil
		}
		k, list = store.Killed{}, nil
		id, err := s.Begin(ctx, c)
		h.campaign.Store(id)
		return err
	})
	return k, list
}

// SaveProgress records the time of fuzzing and the progress of some targets.
func (h *history) SaveProgress(spent time.Duration, list []store.Progress) {
	h.try(func(s *store.Store) error {
		return s.Book(context.Background(), h.campaign.Load(), h.module.Path, spent, time.Now(), list)
	})
}

// report reports an error of the history as a warning.
func (h *history) report(err error) {
	h.warn(fmt.Sprintf("%v; gnaw continues without the history and still writes inputs to testdata", err))
}

// try calls f with the database. After an error of f there is no database.
func (h *history) try(f func(s *store.Store) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store == nil {
		return
	}
	if err := f(h.store); err != nil {
		_ = h.store.Close() // whose error would be the same
		h.store = nil
		h.report(err)
	}
}

// write makes a change that must not be lost: if f fails, or there is no database, reopen calls f again.
func (h *history) write(f func(s *store.Store) error) {
	done := false
	h.try(func(s *store.Store) error {
		err := f(s)
		done = err == nil
		return err
	})
	if !done {
		h.mu.Lock()
		h.pending = append(h.pending, f)
		h.mu.Unlock()
	}
}

// reopen opens the database again if there was an error, and makes the pending changes.
func (h *history) reopen(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store != nil || h.campaign.Load() == 0 {
		return
	}
	s, err := h.open(ctx)
	for i := 0; i < len(h.pending) && err == nil; i++ {
		err = h.pending[i](s)
	}
	if err != nil {
		if s != nil {
			_ = s.Close() // whose error would be the same
		}
		if len(h.pending) > 0 {
			h.warn(fmt.Sprintf("%v; gnaw show and gnaw repro do not know the findings since then; their inputs are in testdata", err))
		}
		return
	}
	h.store, h.pending = s, nil
}

// Save records a finding and returns it with its history.
func (h *history) Save(r finding.Record) finding.Record {
	r.Go, r.Commit, r.Changed = h.version, h.commit, h.changed
	record := r
	h.write(func(s *store.Store) error {
		saved, err := s.Save(context.Background(), h.campaign.Load(), h.module.Path, record)
		if err == nil {
			r = saved
		}
		return err
	})
	return r
}

// Renew replaces the input of a finding.
func (h *history) Renew(r finding.Record) {
	r.Go, r.Commit, r.Changed = h.version, h.commit, h.changed
	h.write(func(s *store.Store) error { return s.Renew(context.Background(), h.module.Path, r) })
}

// Find returns the finding with an ID.
func (h *history) Find(id string) (r finding.Record, ok bool) {
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.Background(), h.module.Path)
		for _, one := range all {
			if one.ID == id {
				r, ok = one, true
			}
		}
		return err
	})
	return r, ok
}

// Add adds inputs to a finding.
func (h *history) Add(id string, more ...finding.Sample) {
	h.write(func(s *store.Store) error { return s.AddSamples(context.Background(), h.module.Path, id, more...) })
}

// Short returns the short form of an ID.
func (h *history) Short(id string) string {
	short := finding.Short(id, nil)
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.Background(), h.module.Path)
		short = finding.Short(id, store.IDs(all))
		return err
	})
	return short
}

// SavePoint records a point of the coverage over time.
func (h *history) SavePoint(p store.Point) {
	h.try(func(s *store.Store) error { return s.Cover(context.Background(), h.campaign.Load(), h.module.Path, p) })
}

// SaveTotals records the totals of the campaign, and the entries that it has found since the last call.
func (h *history) SaveTotals(t store.Totals, entries []store.Entry) {
	h.try(func(s *store.Store) error {
		if len(entries) > 0 {
			if err := s.AddEntries(context.Background(), h.campaign.Load(), h.module.Path, entries); err != nil {
				return err
			}
		}
		return s.SaveTotals(context.Background(), h.campaign.Load(), t)
	})
}

// SaveResults records the results of some targets.
func (h *history) SaveResults(list []store.Result) {
	h.try(func(s *store.Store) error {
		return s.SaveResults(context.Background(), h.campaign.Load(), h.module.Path, time.Now(), list)
	})
}

// SaveSources records which statements the entries of a target reach.
func (h *history) SaveSources(t build.Target, list coverage.Sources) {
	h.try(func(s *store.Store) error {
		h.files.Add(list, h.began, h.module.ReadSource)
		data, err := list.Encode(h.files)
		if err != nil {
			return err
		}
		return s.SaveSources(context.Background(), h.campaign.Load(), h.module.Path, store.Sources{Target: t.Name, Data: data})
	})
}

// SaveFuzzed records that a target of a dependency was fuzzed.
func (h *history) SaveFuzzed(d store.Dependency) {
	h.try(func(s *store.Store) error { return s.Fuzzed(context.Background(), d) })
}

// End records the end of the campaign and closes the database.
func (h *history) End() {
	h.reopen(context.Background())
	h.try(func(s *store.Store) error {
		if err := s.End(context.Background(), h.campaign.Load(), time.Now()); err != nil {
			return err
		}
		h.store = nil // a point of the coverage may come later
		return s.Close()
	})
}

// Number returns the number of the campaign.
func (h *history) Number() int64 { return h.campaign.Load() }

// Keeps reports whether there is a database.
func (h *history) Keeps() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.store != nil
}
