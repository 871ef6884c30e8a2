package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// coverInterval is the time between two points of the coverage over time.
const coverInterval = 10 * time.Second

// history records one campaign. The first error is reported, and from then on nothing is recorded until the end of the campaign,
// when findings and the end itself are recorded if that works again: fuzzing goes on. Its methods may be called from any
// goroutine.
type history struct {
	module  project.Module
	goes    string // version of the toolchain
	commit  string
	changed bool // files of the commit are
	open    OpenStore
	warn    func(text string)

	mu       sync.Mutex
	store    *store.Store // nil after an error
	campaign int64
	behind   []func(*store.Store) error // findings that could not be recorded
}

// begin opens the database.
func (h *history) begin(ctx context.Context, environ []string) {
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

// start records the start of a campaign, or takes over one that was killed: then its number is not 0, and list is what it
// knew about its targets.
func (h *history) start(ctx context.Context, o Options) (k store.Killed, list []store.Progress) {
	c := store.Campaign{
		Module: h.module.Path, Packages: o.Identity.Packages, Start: time.Now(), Go: h.goes, Commit: h.commit,
		Args: o.Identity.Args + " in " + o.Dir, Run: o.Identity.Process,
	}
	h.try(func(s *store.Store) error {
		var ok bool
		var err error
		if !o.Identity.Fresh && !o.Fuzzing.Repeatable {
			if k, ok, err = s.Resume(ctx, c, build.SiteInUse); err == nil && ok {
				list, err = s.Progress(ctx, k.ID)
			}
		}
		if err != nil {
			return err
		}
		// Of one that never fuzzed, or has used up its time, there is nothing to go on with.
		if ok && k.Spent > 0 && (o.Limits.Time == 0 || k.Spent < o.Limits.Time) {
			h.campaign = k.ID
			return nil
		}
		k, list = store.Killed{}, nil
		h.campaign, err = s.Begin(ctx, c)
		return err
	})
	return k, list
}

// book records how long the campaign has been fuzzing, and what it knows about some targets.
func (h *history) book(spent time.Duration, list []store.Progress) {
	h.try(func(s *store.Store) error {
		return s.Book(context.Background(), h.campaign, h.module.Path, spent, time.Now(), list)
	})
}

// report says what is wrong with the history.
func (h *history) report(err error) {
	h.warn(fmt.Sprintf("%v; fuzzing goes on without history, and findings are written to testdata as always", err))
}

// try does something with the database, if it is usable.
func (h *history) try(f func(s *store.Store) error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store == nil {
		return
	}
	if err := f(h.store); err != nil {
		_ = h.store.Close() // that error would be the same one
		h.store = nil
		h.report(err)
	}
}

// keep does something that must not be lost: if it does not work now, it is done at the end.
func (h *history) keep(f func(s *store.Store) error) {
	done := false
	h.try(func(s *store.Store) error {
		err := f(s)
		done = err == nil
		return err
	})
	if !done {
		h.mu.Lock()
		h.behind = append(h.behind, f)
		h.mu.Unlock()
	}
}

// reopen opens a database again that could not be used for some time, and records what is behind.
func (h *history) reopen(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store != nil || h.campaign == 0 {
		return
	}
	s, err := h.open(ctx)
	for i := 0; i < len(h.behind) && err == nil; i++ {
		err = h.behind[i](s)
	}
	if err != nil {
		if s != nil {
			_ = s.Close() // that error would be the same one
		}
		if len(h.behind) > 0 {
			h.warn(fmt.Sprintf("%v; what was found since cannot be shown or repeated by ID; testdata has the inputs", err))
		}
		return
	}
	h.store, h.behind = s, nil
}

// save records a finding and returns it with its history. It is done even if the campaign has been interrupted.
func (h *history) save(ctx context.Context, r finding.Record) finding.Record {
	r.Go, r.Commit, r.Changed = h.goes, h.commit, h.changed
	record := r
	h.keep(func(s *store.Store) error {
		saved, err := s.Save(context.WithoutCancel(ctx), h.campaign, h.module.Path, record)
		if err == nil {
			r = saved
		}
		return err
	})
	return r
}

// renew records another input of a finding in the place of the one that it has.
func (h *history) renew(r finding.Record) {
	r.Go, r.Commit, r.Changed = h.goes, h.commit, h.changed
	h.keep(func(s *store.Store) error { return s.Renew(context.Background(), h.module.Path, r) })
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

// add keeps more inputs of a finding.
func (h *history) add(id string, more ...finding.Sample) {
	h.keep(func(s *store.Store) error { return s.AddSamples(context.Background(), h.module.Path, id, more...) })
}

// short returns an ID as it is shown to a person.
func (h *history) short(ctx context.Context, id string) string {
	short := finding.Short(id, nil)
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.WithoutCancel(ctx), h.module.Path)
		short = finding.Short(id, store.IDs(all))
		return err
	})
	return short
}

// cover records what was reached in a target.
func (h *history) cover(ctx context.Context, t build.Target, s engine.Snapshot) {
	h.try(func(db *store.Store) error {
		return db.Cover(context.WithoutCancel(ctx), h.campaign, h.module.Path, store.Point{
			Package: t.Package, Target: t.Name, At: time.Now(), Execs: s.Execs, Edges: s.Edges, Buckets: s.Buckets, Entries: s.Entries,
		})
	})
}

// end records the end of the campaign and closes the database.
func (h *history) end(ctx context.Context) {
	h.reopen(context.WithoutCancel(ctx))
	h.try(func(s *store.Store) error {
		if err := s.End(context.WithoutCancel(ctx), h.campaign, time.Now()); err != nil {
			return err
		}
		h.store = nil // who records coverage may come late
		return s.Close()
	})
}

// records reports whether there is still a database.
func (h *history) records() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.store != nil
}
