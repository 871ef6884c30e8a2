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
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// coverInterval is the time between two points of the coverage over time.
const coverInterval = 10 * time.Second

// history records one campaign. After the first error, which it reports as a warning, it records nothing until the end of the campaign.
// Then it tries again to record the findings and the end. Fuzzing continues meanwhile. Its methods may be called from any goroutine.
type history struct {
	module  project.Module
	version string // of the toolchain
	commit  string
	changed bool // files of the commit were changed
	open    OpenStore
	warn    func(text string)

	campaign atomic.Int64 // number; 0: it has none, or none yet. Snapshot reads it without mu, which may be held until the database answers

	began time.Time // before the first build

	mu      sync.Mutex
	store   *store.Store               // nil after an error
	files   coverage.Files             // of which test binaries were built
	pending []func(*store.Store) error // changes that could not be written
}

// begin opens the database.
func (h *history) begin(ctx context.Context, environ []string) {
	h.began, h.files = time.Now(), coverage.Files{}
	h.commit, h.changed = h.module.Commit(ctx, environ)
	s, err := h.open(ctx)
	if err != nil {
		h.report(err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store = s
}

// start records the start of a campaign, or resumes one that was killed. Then k.ID is not 0, and list has the progress of its targets.
func (h *history) start(ctx context.Context, o Options) (k store.Killed, list []store.Progress) {
	c := store.Campaign{
		Module: h.module.Path, Packages: o.Identity.Packages, Start: time.Now(), Go: h.version, Commit: h.commit,
		Args: o.Identity.Args + " in " + o.Dir, Run: o.Identity.Process, Root: o.Module.Root, Cache: o.Toolchain.Cache,
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

// saveProgress records the time of fuzzing and the progress of some targets.
func (h *history) saveProgress(spent time.Duration, list []store.Progress) {
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

// save records a finding and returns it with its history, also after ctx ends.
func (h *history) save(ctx context.Context, r finding.Record) finding.Record {
	r.Go, r.Commit, r.Changed = h.version, h.commit, h.changed
	record := r
	h.write(func(s *store.Store) error {
		saved, err := s.Save(context.WithoutCancel(ctx), h.campaign.Load(), h.module.Path, record)
		if err == nil {
			r = saved
		}
		return err
	})
	return r
}

// renew replaces the input of a finding.
func (h *history) renew(r finding.Record) {
	r.Go, r.Commit, r.Changed = h.version, h.commit, h.changed
	h.write(func(s *store.Store) error { return s.Renew(context.Background(), h.module.Path, r) })
}

// find returns the finding with an ID.
func (h *history) find(ctx context.Context, id string) (r finding.Record, ok bool) {
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.WithoutCancel(ctx), h.module.Path)
		for _, one := range all {
			if one.ID == id {
				r, ok = one, true
			}
		}
		return err
	})
	return r, ok
}

// add adds inputs to a finding.
func (h *history) add(id string, more ...finding.Sample) {
	h.write(func(s *store.Store) error { return s.AddSamples(context.Background(), h.module.Path, id, more...) })
}

// short returns the short form of an ID.
func (h *history) short(ctx context.Context, id string) string {
	short := finding.Short(id, nil)
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.WithoutCancel(ctx), h.module.Path)
		short = finding.Short(id, store.IDs(all))
		return err
	})
	return short
}

// cover records a point of the coverage over time.
func (h *history) cover(ctx context.Context, t build.Target, s engine.Snapshot, reached event.Reached) {
	h.try(func(db *store.Store) error {
		return db.Cover(context.WithoutCancel(ctx), h.campaign.Load(), h.module.Path, store.Point{
			Package: t.Package, Target: t.Name, At: time.Now(), Execs: s.Execs, Edges: s.Edges, Buckets: s.Buckets, Entries: s.Entries,
			Covered: reached.Covered, Statements: reached.Statements,
		})
	})
}

// saveTotals records the totals of the campaign, and the entries that it has found since the last call.
func (h *history) saveTotals(t store.Totals, entries []store.Entry) {
	h.try(func(s *store.Store) error {
		if len(entries) > 0 {
			if err := s.AddEntries(context.Background(), h.campaign.Load(), h.module.Path, entries); err != nil {
				return err
			}
		}
		return s.SaveTotals(context.Background(), h.campaign.Load(), t)
	})
}

// saveResults records the results of some targets.
func (h *history) saveResults(list []store.Result) {
	h.try(func(s *store.Store) error {
		return s.SaveResults(context.Background(), h.campaign.Load(), h.module.Path, time.Now(), list)
	})
}

// saveSources records which statements the entries of a target reach.
func (h *history) saveSources(t build.Target, list coverage.Sources) {
	h.try(func(s *store.Store) error {
		h.files.Add(list, h.began, h.module.ReadSource)
		data, err := list.Encode(h.files)
		if err != nil {
			return err
		}
		return s.SaveSources(context.Background(), h.campaign.Load(), h.module.Path, store.Sources{Package: t.Package, Target: t.Name, Data: data})
	})
}

// end records the end of the campaign and closes the database.
func (h *history) end(ctx context.Context) {
	h.reopen(context.WithoutCancel(ctx))
	h.try(func(s *store.Store) error {
		if err := s.End(context.WithoutCancel(ctx), h.campaign.Load(), time.Now()); err != nil {
			return err
		}
		h.store = nil // a point of the coverage may come later
		return s.Close()
	})
}

// records reports whether there is a database.
func (h *history) records() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.store != nil
}
