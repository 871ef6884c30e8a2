package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// earlier is the campaign or the revision that -since compares with.
type earlier struct {
	title    string    // for messages, such as "the revision HEAD"
	began    time.Time // of the campaign; zero for a revision
	revision string    // hash of the commit; empty for a campaign
}

// findEarlier finds the campaign or the revision that -since names. The error is a *usage.Error if there is none.
func findEarlier(ctx context.Context, env Env, name string) (earlier, error) {
	if _, err := strconv.ParseUint(name, 10, 63); err == nil || name == lastCampaign {
		return findCampaign(ctx, env, name)
	}
	return findRevision(ctx, env, name)
}

// findRevision finds a git revision that contains the working directory.
func findRevision(ctx context.Context, env Env, name string) (earlier, error) {
	parse := func(name string) (hash string, err error) {
		return project.Git(ctx, env.Environ, env.Dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
	}
	hash, err := parse(name + "^{commit}")
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return earlier{}, context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() == 1: // git understands the name, and there is no such commit
		shallow := project.ShallowHint(ctx, env.Environ, env.Dir)
		if shallow != "" {
			shallow = "; " + shallow
		}
		return earlier{}, usagef("-since: %q is not %s, the number of a campaign or a git revision%s", name, lastCampaign, shallow)
	case err != nil:
		return earlier{}, usagef("-since: %q is not %s or the number of a campaign, and git cannot find it as a revision: %w", name, lastCampaign, err)
	}
	if _, err := parse(hash + ":./"); ctx.Err() != nil {
		return earlier{}, context.Cause(ctx)
	} else if err != nil {
		return earlier{}, usagef("-since: the revision %s does not contain the folder %s", name, env.Dir)
	}
	return earlier{title: "the revision " + name, revision: hash}, nil
}

// findCampaign finds a campaign of the module.
func findCampaign(ctx context.Context, env Env, name string) (earlier, error) {
	db, err := openStore(ctx)
	if err != nil {
		return earlier{}, err
	}
	c, err := pickCampaign(ctx, env, db, project.Find(env.Dir), name)
	if closing := db.Close(); err == nil {
		err = closing
	}
	var none *usage.Error
	if errors.As(err, &none) {
		return earlier{}, usagef("-since: %w", err)
	}
	return earlier{title: fmt.Sprintf("campaign %d, which began %s", c.ID, c.Start.Format(time.DateTime)), began: c.Start}, err
}

// since prints which statements came and went.
func (c coverReport) since(ctx context.Context, tc gocommand.Toolchain) error {
	cmp, texts, err := c.compare(ctx, tc)
	switch {
	case err != nil:
		return err
	case c.flags.json:
		return c.comparisonToJSON(cmp)
	}
	c.printComparison(cmp, texts)
	return nil
}

// compare compares the blocks that the inputs reach with those that they reached at the campaign or revision of -since. is returns the texts
// of the blocks in today's code.
func (c coverReport) compare(ctx context.Context, tc gocommand.Toolchain) (cmp coverage.Comparison, is coverage.Texts, err error) {
	read, err := c.flags.sources(ctx, tc, c.env.Dir, c.blocks)
	if err != nil {
		return cmp, nil, err
	}
	is = coverage.TextsOf(read)
	if e := c.flags.earlier; e.revision == "" {
		if err := c.dateEntries(ctx, e); err != nil {
			return cmp, nil, err
		}
		before := coverage.MergeInputs(c.list, coverage.Inputs{By: c.flags.by, Before: e.began})
		return coverage.Compare(before, c.blocks, coverage.Places, coverage.Places), is, nil
	}
	tree, err := project.AddTree(ctx, c.env.Environ, c.env.Dir, c.flags.earlier.revision)
	if err != nil {
		return cmp, nil, err
	}
	defer func() {
		if err := tree.Remove(ctx); err != nil { // printed here, because an interruption replaces the error of the command
			fmt.Fprintf(c.env.Stderr, "gnaw: %v\n", err)
		}
	}()
	missing, err := project.FillSubmodules(ctx, c.env.Environ, tree.Dir, c.env.Dir)
	if err != nil {
		return cmp, nil, fmt.Errorf("put submodules into the work tree of %s: %w", c.flags.earlier.title, err)
	}
	if missing != "" {
		fmt.Fprintf(c.env.Stderr, "gnaw: at %s, %s\n", c.flags.earlier.title, missing)
	}
	prefix, err := project.Git(ctx, c.env.Environ, c.env.Dir, "rev-parse", "--show-prefix")
	if err != nil {
		return cmp, nil, err
	}
	before, was, err := c.inTree(ctx, filepath.Join(tree.Dir, filepath.FromSlash(prefix)))
	if err != nil {
		return cmp, nil, fmt.Errorf("at %s: %w", c.flags.earlier.title, err)
	}
	return coverage.Compare(before, c.blocks, was, is), is, nil
}

// dateEntries corrects the times of entries. A copy of the corpus has new times, so the history says when a campaign found an entry. An entry
// that no campaign found counts as earlier than the campaign of e, because that campaign did not find it.
func (c coverReport) dateEntries(ctx context.Context, e earlier) error {
	db, err := openStore(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing was written
	module, copied := project.Find(c.env.Dir).Path, 0
	for _, r := range c.list {
		recorded, err := db.Reader().Entries(ctx, module, r.Target)
		if err != nil {
			return err
		}
		found := make(map[string]time.Time, len(recorded))
		for _, one := range recorded {
			found[one.File] = one.At
		}
		copied += coverage.DateEntries(r.Entries, found, e.began)
	}
	if copied > 0 {
		fmt.Fprintf(c.env.Stderr, "gnaw: no campaign found %s that the corpus got after %s began: a copy, another program or gnaw test brought them; "+
			"they count as earlier\n", report.Plural(copied, "entry"), e.title)
	}
	return nil
}

// inTree returns which blocks the inputs reach in the code of a temporary work tree, with the texts of the blocks. dir is the folder of the
// work tree that corresponds to the working directory.
func (c coverReport) inTree(ctx context.Context, dir string) (before []coverage.Reach, was coverage.Texts, err error) {
	tc, err := gocommand.FindToolchain(ctx, dir, c.env.Environ)
	if err != nil {
		return nil, nil, err
	}
	tc.Notices = c.env.Stderr
	there := c.env
	there.Dir = dir
	targets, broken, err := c.flags.targets(ctx, there, tc)
	if err != nil {
		return nil, nil, err
	}
	if len(broken) > 0 {
		return nil, nil, broken[0]
	}
	fmt.Fprintf(c.env.Stderr, "executing the inputs at %s\n", c.flags.earlier.title)
	list, failed, err := coverage.Run(ctx, tc, targets, c.flags.options(there, nil))
	for _, f := range failed {
		err = errors.Join(err, f.Err)
	}
	if err != nil {
		return nil, nil, err
	}
	before = coverage.Merge(list, c.flags.by)
	read, err := c.flags.sources(ctx, tc, dir, before)
	if err != nil {
		return nil, nil, err
	}
	was = coverage.TextsOf(read)
	for _, b := range before { // read the files before the work tree is removed
		was(b.Block)
	}
	return before, was, nil
}

// printComparison prints a comparison as text.
func (c coverReport) printComparison(cmp coverage.Comparison, texts coverage.Texts) {
	out := c.env.Stdout
	fmt.Fprintf(out, "since %s:\n", c.flags.earlier.title)
	for _, side := range []struct {
		name string
		n    coverage.Count
	}{{"before", cmp.Before}, {"now", cmp.After}} {
		fmt.Fprintf(out, "  %-6s  %d of %s covered, %.1f%%\n", side.name, side.n.Covered, report.Plural(side.n.Statements, "statement"), side.n.Percent())
	}
	fmt.Fprintf(out, "  came    %s\n  went    %s\n", report.Plural(cmp.Came, "statement"), report.Plural(cmp.Went, "statement"))
	if cmp.New.Statements > 0 || cmp.Gone.Statements > 0 {
		fmt.Fprintf(out, "new or changed code: %s, %d covered; in its place there were %s, %d covered\n",
			report.Plural(cmp.New.Statements, "statement"), cmp.New.Covered, report.Plural(cmp.Gone.Statements, "statement"), cmp.Gone.Covered)
	}
	for _, f := range cmp.Changes {
		came, went := f.Statements()
		fmt.Fprintf(out, "\n+%d -%d  %s %s\n", came, went, f.Package, f.Function)
		for _, side := range []struct {
			sign string
			list []coverage.Reach
		}{{"+", f.Came}, {"-", f.Went}} {
			for _, b := range side.list {
				fmt.Fprintf(out, "  %s %s:%d  %s\n", side.sign, path.Base(b.File), b.Start.Line, firstLine(texts, b.Block))
			}
		}
	}
}

// firstLine returns the first line of the code of a block.
func firstLine(texts coverage.Texts, b coverage.Block) string {
	text, _ := texts(b)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(strings.TrimLeft(line, "{ \t")); line != "" {
			return line
		}
	}
	return ""
}

// coverCountJSON is the JSON form of a count.
type coverCountJSON struct {
	Statements int `json:"statements"`
	Covered    int `json:"covered"`
}

// comparisonJSON is the JSON form of a comparison.
type comparisonJSON struct {
	Since     string         `json:"since"`
	Before    coverCountJSON `json:"before"`
	Now       coverCountJSON `json:"now"`
	Came      int            `json:"came"` // statements
	Went      int            `json:"went"` // statements
	New       coverCountJSON `json:"new"`  // code that only today's side has
	Gone      coverCountJSON `json:"gone"` // code that only the earlier side has
	Functions []changeJSON   `json:"functions"`
}

// changeJSON is the JSON form of a function with statements that came or went.
type changeJSON struct {
	Package string      `json:"package"`
	Name    string      `json:"name"`
	Came    []blockJSON `json:"came"`
	Went    []blockJSON `json:"went"`
}

// blockJSON is the JSON form of a block.
type blockJSON struct {
	File       string `json:"file"` // import path and base name
	Line       int    `json:"line"`
	Statements int    `json:"statements"`
}

func blocksJSON(list []coverage.Reach) []blockJSON {
	all := make([]blockJSON, 0, len(list))
	for _, b := range list {
		all = append(all, blockJSON{b.File, b.Start.Line, b.Statements})
	}
	return all
}

// comparisonToJSON prints a comparison as one object.
func (c coverReport) comparisonToJSON(cmp coverage.Comparison) error {
	j := comparisonJSON{
		Since: c.flags.earlier.title, Before: coverCountJSON(cmp.Before), Now: coverCountJSON(cmp.After), Came: cmp.Came, Went: cmp.Went,
		New: coverCountJSON(cmp.New), Gone: coverCountJSON(cmp.Gone), Functions: []changeJSON{},
	}
	for _, f := range cmp.Changes {
		j.Functions = append(j.Functions, changeJSON{f.Package, f.Function, blocksJSON(f.Came), blocksJSON(f.Went)})
	}
	return writeJSON(c.env.Stdout, j)
}

// checkSince returns an error if other flags or the packages conflict with -since.
func (f *coverFlags) checkSince() error {
	campaign := f.earlier.revision == ""
	switch {
	case f.functions:
		return usagef("-func has no effect with -since, which lists the functions with differences in place of the tables; leave it out")
	case campaign && f.by == coverage.Seeds:
		return usagef("-since with a campaign compares entries of the corpus, and -by=seeds leaves them out; compare with a git revision")
	case !campaign && slices.ContainsFunc(slices.Concat(f.patterns, f.covered), filepath.IsAbs): // these are not in the other work tree
		return usagef("-since with a revision takes packages as import paths, or relative to the working directory")
	}
	return nil
}
