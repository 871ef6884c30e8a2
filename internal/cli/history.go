package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// coverInterval is the time between two points of the coverage over time.
const coverInterval = 10 * time.Second

// openStore opens the database in the user's cache.
func openStore(ctx context.Context) (*store.Store, error) {
	dir, err := build.CacheDir()
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, filepath.Join(dir, store.FileName))
}

// history records one campaign. The first error is told, and from then on nothing is recorded until the end of the campaign,
// when findings and the end itself are recorded if that works again: fuzzing goes on. Its methods may be called from any
// goroutine.
type history struct {
	env     Env
	project project
	goes    string // version of the toolchain
	commit  string
	changed bool // files of the commit are

	mu       sync.Mutex
	store    *store.Store // nil after an error
	campaign int64
	behind   []func(*store.Store) error // findings that could not be recorded
}

// openHistory opens the history for a campaign.
func openHistory(ctx context.Context, env Env, p project, tc build.Toolchain) *history {
	h := &history{env: env, project: p, goes: tc.Version}
	h.commit, h.changed = p.commit(ctx, env)
	var err error
	if h.store, err = openStore(ctx); err != nil {
		h.store = nil
		h.tell(err)
		return h
	}
	return h
}

// begin records the start of a campaign, or takes over one that was killed: then its number is not 0, and list is what it
// knew about its targets. run names the site of the process.
func (h *history) begin(ctx context.Context, f fuzzFlags, run string) (k store.Killed, list []store.Progress) {
	c := store.Campaign{
		Module: h.project.module, Packages: strings.Join(f.patterns, " "), Start: time.Now(), Go: h.goes, Commit: h.commit,
		Args: f.same + " in " + h.env.Dir, Run: run,
	}
	h.try(func(s *store.Store) error {
		var ok bool
		var err error
		if !f.fresh && !f.repeatable {
			if k, ok, err = s.Resume(ctx, c, build.SiteInUse); err == nil && ok {
				list, err = s.Progress(ctx, k.ID)
			}
		}
		if err != nil {
			return err
		}
		// Of one that never fuzzed, or has used up its time, there is nothing to go on with.
		if ok && k.Spent > 0 && (f.time == 0 || k.Spent < f.time) {
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
		return s.Book(context.Background(), h.campaign, h.project.module, spent, time.Now(), list)
	})
}

// tell says what is wrong with the history.
func (h *history) tell(err error) {
	fmt.Fprintf(h.env.Stderr, "gnaw: %v\ngnaw: fuzzing goes on without history; findings are written to testdata as always\n", err)
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
		h.tell(err)
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
	s, err := openStore(ctx)
	for i := 0; i < len(h.behind) && err == nil; i++ {
		err = h.behind[i](s)
	}
	if err != nil {
		if s != nil {
			_ = s.Close() // that error would be the same one
		}
		if len(h.behind) > 0 {
			fmt.Fprintf(h.env.Stderr, "gnaw: %v\ngnaw: what was found since cannot be shown or repeated by ID; testdata has the inputs\n", err)
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
		saved, err := s.Save(context.WithoutCancel(ctx), h.campaign, h.project.module, record)
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
	h.keep(func(s *store.Store) error { return s.Renew(context.Background(), h.project.module, r) })
}

// find returns the finding with an ID.
func (h *history) find(ctx context.Context, id string) (r finding.Record, ok bool) {
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.WithoutCancel(ctx), h.project.module)
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
	h.keep(func(s *store.Store) error { return s.AddSamples(context.Background(), h.project.module, id, more...) })
}

// short returns an ID as it is shown to a person.
func (h *history) short(ctx context.Context, id string) string {
	short := finding.Short(id, nil)
	h.try(func(s *store.Store) error {
		all, err := s.Findings(context.WithoutCancel(ctx), h.project.module)
		short = finding.Short(id, ids(all))
		return err
	})
	return short
}

// cover records what was reached in a target.
func (h *history) cover(ctx context.Context, t build.Target, s engine.Snapshot) {
	h.try(func(db *store.Store) error {
		return db.Cover(context.WithoutCancel(ctx), h.campaign, h.project.module, store.Point{
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

func ids(all []finding.Record) (names []string) {
	for _, r := range all {
		names = append(names, r.ID)
	}
	return names
}

// stored is the history as commands on findings see it.
type stored struct {
	project project
	store   *store.Store
	all     []finding.Record
}

// openFindings reads the findings of the module in the working directory. The caller closes the store.
func openFindings(ctx context.Context, env Env) (*stored, error) {
	db, err := openStore(ctx)
	if err != nil {
		return nil, err
	}
	s := &stored{project: findProject(env.Dir), store: db}
	if s.all, err = db.Findings(ctx, s.project.module); err != nil {
		_ = db.Close() // the first error says it
		return nil, err
	}
	return s, nil
}

// pick reads the finding with an ID, and closes the history unless it is to be changed.
func pick(ctx context.Context, env Env, id string) (s *stored, r finding.Record, err error) {
	if short, _, numbered := strings.Cut(id, "#"); numbered {
		return nil, r, usagef("only repro takes the number of an input; write %s", short)
	}
	s, err = openFindings(ctx, env)
	if err != nil {
		return nil, r, err
	}
	r, err = store.Pick(s.all, id)
	if err != nil {
		_ = s.store.Close() // nothing was written
		return nil, r, usagef("%v", err)
	}
	return s, r, nil
}

// understood returns an error for a finding that another version has written and that this one does not understand: what it
// would do with it may be wrong.
func understood(r finding.Record, all []finding.Record) error {
	if r.Unreadable == "" {
		return nil
	}
	short := finding.Short(r.ID, ids(all))
	return fmt.Errorf("another version of gnaw wrote %s, and this one cannot read %s; install that gnaw, or look at it with `gnaw show %s`",
		short, report.Line(r.Unreadable), short)
}

// close closes the store of a command that only reads.
func (s *stored) close() { _ = s.store.Close() }
