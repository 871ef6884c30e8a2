package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// openStore opens the database in the user's cache.
func openStore(ctx context.Context) (*store.Store, error) {
	dir, err := cache.Dir()
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
func pickCampaign(ctx context.Context, env Env, db *store.Store, m project.Module, name string) (store.Summary, error) {
	list, err := db.Campaigns(ctx, m.Path)
	if err != nil {
		return store.Summary{}, err
	}
	shared := sharedFolders(ctx, env, m)
	var known []string
	for _, c := range list {
		switch number := strconv.FormatInt(c.ID, 10); {
		case !shared(c.Root) && name == number:
			return store.Summary{}, usagef("campaign %s is of another folder with the same module path, %s; run gnaw there", name, c.Root)
		case !shared(c.Root):
		case name == lastCampaign || name == number:
			return c, nil
		case len(known) < maxCampaigns:
			known = append(known, fmt.Sprintf("%d (%s, %s)", c.ID, c.Start.Format(time.DateTime), c.Packages))
		}
	}
	if known == nil {
		return store.Summary{}, usagef("the history has no campaign of this module")
	}
	return store.Summary{}, usagef("the history has no campaign %s of this module; the last ones are %s", name, strings.Join(known, ", "))
}

// sharedFolders returns [project.Module.Shares] as a function that asks git once for each folder.
func sharedFolders(ctx context.Context, env Env, m project.Module) func(root string) bool {
	known := map[string]bool{}
	return func(root string) bool {
		shares, ok := known[root]
		if !ok {
			shares = m.Shares(ctx, env.Environ, root)
			known[root] = shares
		}
		return shares
	}
}

// stored is the history of a module: its findings, and the database that they are in.
type stored struct {
	module project.Module
	store  *store.Store
	all    []finding.Record

	elsewhere map[string][]finding.Record // findings of other folders with the same module path, by the folder
}

// openFindings reads the findings of the module in the folder dir. The caller closes the store.
func openFindings(ctx context.Context, env Env, dir string) (*stored, error) {
	db, err := openStore(ctx)
	if err != nil {
		return nil, err
	}
	s := &stored{module: project.Find(dir), store: db, elsewhere: map[string][]finding.Record{}}
	if err := s.read(ctx, env); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// read reads the findings, and separates those of other folders.
func (s *stored) read(ctx context.Context, env Env) error {
	list, err := s.store.Findings(ctx, s.module.Path)
	if err != nil {
		return err
	}
	folders, err := s.store.Reader().FoldersOf(ctx, s.module.Path)
	if err != nil {
		return err
	}
	shared := sharedFolders(ctx, env, s.module)
	for _, r := range list {
		if roots := folders[r.ID]; len(roots) > 0 && !slices.ContainsFunc(roots, shared) {
			s.elsewhere[roots[0]] = append(s.elsewhere[roots[0]], r)
			continue
		}
		s.all = append(s.all, r)
	}
	return nil
}

// choose returns the finding whose ID begins with prefix. The error is a *usage.Error.
func (s *stored) choose(prefix string) (finding.Record, error) {
	r, err := store.Pick(s.all, prefix)
	if err == nil {
		return r, nil
	}
	for root, list := range s.elsewhere {
		if _, err := store.Pick(list, prefix); err == nil {
			return r, usagef("%s is a finding of another folder with the same module path, %s; run gnaw there", prefix, root)
		}
	}
	return r, usagef("%v", err)
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

// pick reads the finding with an ID, or with the input in a corpus file. The caller closes the history.
func pick(ctx context.Context, env Env, id string) (s *stored, r finding.Record, err error) {
	if file := inputFile(env, id); file != "" {
		return pickInput(ctx, env, file)
	}
	if short, _, numbered := strings.Cut(id, "#"); numbered {
		return nil, r, usagef("only repro takes the number of an input; write %s", short)
	}
	s, err = openFindings(ctx, env, env.Dir)
	if err != nil {
		return nil, r, err
	}
	if r, err = s.choose(id); err != nil {
		s.close()
		return nil, r, err
	}
	return s, r, nil
}

// pickInput reads the finding with the input in a corpus file. The caller closes the history.
func pickInput(ctx context.Context, env Env, file string) (s *stored, r finding.Record, err error) {
	if s, err = openFindings(ctx, env, filepath.Dir(file)); err != nil {
		return nil, r, err
	}
	in, err := readInput(s.module, file)
	if err != nil {
		s.close()
		return nil, r, err
	}
	r, ok := s.ofInput(in)
	if !ok {
		s.close()
		return nil, r, usagef("no finding of this module has the input in %s; `gnaw repro %[1]s` runs it in plain go test", project.Relative(env.Dir, file))
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
