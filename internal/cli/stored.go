package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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

// lastCampaign names the last campaign of the module in arguments.
const lastCampaign = "last"

// maxCampaigns is the number of campaigns that the message about a wrong number lists.
const maxCampaigns = 5

// pickCampaign returns a campaign of a module. name is the number of the campaign, or lastCampaign. The error is a *usage.Error if the history
// has no such campaign.
func pickCampaign(ctx context.Context, db *store.Store, module, name string) (store.Summary, error) {
	list, err := db.Campaigns(ctx, module)
	if err != nil {
		return store.Summary{}, err
	}
	var known []string
	for _, c := range list {
		if name == lastCampaign || name == strconv.FormatInt(c.ID, 10) {
			return c, nil
		}
		if len(known) < maxCampaigns {
			known = append(known, fmt.Sprintf("%d (%s, %s)", c.ID, c.Start.Format(time.DateTime), c.Packages))
		}
	}
	if known == nil {
		return store.Summary{}, usagef("the history has no campaign of this module")
	}
	return store.Summary{}, usagef("the history has no campaign %s of this module; the last ones are %s", name, strings.Join(known, ", "))
}

// stored is the history of a module: its findings, and the database that they are in.
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
		_ = db.Close() // the first error counts
		return nil, err
	}
	return s, nil
}

// picked returns the finding with an ID, as [pick] does, and closes the history. The error says if this version of gnaw does not
// understand the finding.
func picked(ctx context.Context, env Env, id string) (*stored, finding.Record, error) {
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return nil, r, err
	}
	s.close()
	return s, r, s.understood(r)
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
		_ = s.store.Close() // nothing is written
		return nil, r, usagef("%v", err)
	}
	return s, r, nil
}

// understood returns an error for a finding that another version of gnaw wrote and that this one cannot read completely.
func (s *stored) understood(r finding.Record) error {
	if r.Unreadable == "" {
		return nil
	}
	return fmt.Errorf("another version of gnaw wrote %s, and this one cannot read %s; install that gnaw, or look at it with `gnaw show %[1]s`",
		s.short(r), report.Line(r.Unreadable))
}

// refuseMeasured returns an error for a finding of an oracle, with which go test passes.
func (s *stored) refuseMeasured(r finding.Record, command string) error {
	if !r.Kind.Measured() {
		return nil
	}
	return usagef("plain go test passes with this input, so gnaw %s cannot test whether it still fails; `gnaw regress %s` writes a test that measures",
		command, s.short(r))
}

// refuseDependency returns an error for a finding of a dependency, whose sources and history are not the user's.
func (s *stored) refuseDependency(r finding.Record, command string) error {
	if r.Dependency == nil {
		return nil
	}
	return usagef("%s is a finding of the dependency %s, for which there is no gnaw %s; `gnaw show %[1]s` says how to see it in a clone",
		s.short(r), r.Dependency.Module, command)
}

// short returns the shortest ID of a finding that no other finding has.
func (s *stored) short(r finding.Record) string { return finding.Short(r.ID, store.IDs(s.all)) }

// close closes the store of a command that only reads.
func (s *stored) close() { _ = s.store.Close() }
