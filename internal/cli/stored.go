package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// openStore opens the database in the user's cache.
func openStore(ctx context.Context) (*store.Store, error) {
	dir, err := build.CacheDir()
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, filepath.Join(dir, store.FileName))
}

// stored is the history as commands on findings see it.
type stored struct {
	module project.Module
	store  *store.Store
	all    []finding.Record
}

// openFindings reads the findings of the module in the working directory. The caller closes the store.
func openFindings(ctx context.Context, env Env) (*stored, error) {
	db, err := openStore(ctx)
	if err != nil {
		return nil, err
	}
	s := &stored{module: project.Find(env.Dir), store: db}
	if s.all, err = db.Findings(ctx, s.module.Path); err != nil {
		_ = db.Close() // the first error says it
		return nil, err
	}
	return s, nil
}

// picked is [pick] for a command that does something with a finding and does not change it. It closes the history, and refuses a finding
// that this version does not understand.
func picked(ctx context.Context, env Env, id string) (*stored, finding.Record, error) {
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return nil, r, err
	}
	s.close()
	return s, r, understood(r, s.all)
}

// pick reads the finding with an ID. The caller closes the history.
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
	short := finding.Short(r.ID, store.IDs(all))
	return fmt.Errorf("another version of gnaw wrote %s, and this one cannot read %s; install that gnaw, or look at it with `gnaw show %s`",
		short, report.Line(r.Unreadable), short)
}

// close closes the store of a command that only reads.
func (s *stored) close() { _ = s.store.Close() }
