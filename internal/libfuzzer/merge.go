package libfuzzer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/distill"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// mergeInto adds the inputs of folders and files to the folder dir that show what the inputs of dir do not show: as few as possible. Inputs that fail are left
// out. Nothing is removed.
func (u *subject) mergeInto(ctx context.Context, dir string, folders, files []string) (code int, err error) {
	if u.totalTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, u.total(), errors.New("-max_total_time is over before all inputs are executed; nothing is added"))
		defer cancel()
	}
	old, err := u.load(ctx, []string{dir})
	if err != nil {
		return wrong, err
	}
	list, err := u.load(ctx, folders)
	if err != nil {
		return wrong, err
	}
	for _, path := range files {
		one, err := u.read(path)
		if err != nil {
			return wrong, err
		}
		list = append(list, one)
	}
	p := u.process()
	defer func() { err = errors.Join(err, p.Close()) }()
	u.printf("MERGE-OUTER: %d files, %d in the initial corpus, 0 processed earlier\n", len(old)+len(list), len(old))
	u.printf("MERGE-OUTER: attempt 1\n")
	m := merging{subject: u, process: p, edges: map[int]bool{}, features: map[cover.Feature]bool{}}
	r, err := distill.Run(ctx, m.observe, argsOf(old), argsOf(list), nil)
	if err != nil {
		if cause := context.Cause(ctx); ctx.Err() != nil {
			err = cause
		}
		return wrong, err
	}
	u.printf("MERGE-OUTER: successful in 1 attempt(s)\n")
	return m.add(ctx, dir, list, r.Keep)
}

func argsOf(list []unit) (all []input.Args) {
	for _, one := range list {
		all = append(all, one.args)
	}
	return all
}

// merging counts what the inputs show.
type merging struct {
	*subject
	process  *session.Process
	edges    map[int]bool // that the inputs of the folder, and those that are added, show
	features map[cover.Feature]bool
}

// observe executes an input. given says that it is one of the folder.
func (m *merging) observe(ctx context.Context, a input.Args, given bool) (session.Observed, error) {
	o, err := m.process.Observe(ctx, a, true)
	if given {
		m.note(o)
	}
	return o, err
}

// note counts what an input shows.
func (m *merging) note(o session.Observed) {
	for _, f := range o.Features {
		m.edges[f.Counter()], m.features[f] = true, true
	}
}

// add adds the chosen inputs to the folder.
func (m *merging) add(ctx context.Context, dir string, list []unit, chosen []int) (int, error) {
	edges, features, added := len(m.edges), len(m.features), 0
	for _, i := range chosen {
		o, err := m.process.Observe(ctx, list[i].args, true)
		if err != nil {
			return wrong, err
		}
		if o.Failed {
			m.printf("MERGE-OUTER: left out, because it fails: %s\n", list[i].path)
			continue
		}
		file, err := m.file(list[i].args)
		if err == nil {
			err = write(filepath.Join(dir, sha1Of(file)), file)
		}
		if err != nil {
			return wrong, fmt.Errorf("add an input: %w", err)
		}
		m.note(o)
		added++
	}
	m.printf("MERGE-OUTER: %d new files with %d new features added; %d new coverage edges\n", added, len(m.features)-features, len(m.edges)-edges)
	return ok, nil
}
