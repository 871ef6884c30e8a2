package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/write"
)

// written is a target that gnaw init has written.
type written struct {
	pkg     string // import path of its package
	folder  string // of its package, on the command line
	file    string // absolute path of its file
	untried bool   // it may act outside of its process, so gnaw has not executed it
	*plan.FuzzFunc
}

// tryOut fuzzes the new targets that may be executed, and prints for each finding which lines to delete if the target is wrong. It returns the
// larger of code and the exit code of the campaign.
func (r *initReport) tryOut(ctx context.Context, code int) (int, error) {
	names, folders := r.trial()
	if len(names) == 0 {
		return code, nil
	}
	args := []string{"-each=" + r.flags.trial.String(), "-notify=", "-fuzz=^(" + strings.Join(names, "|") + ")$"}
	if r.flags.tags != "" {
		args = append(args, "-tags="+r.flags.tags)
	}
	if r.flags.json {
		args = append(args, "-json")
	} else {
		args = append(args, "-ui=plain") // more is printed behind it
	}
	var found []event.Finding
	env := r.env
	env.actions = nil // the trial is no result
	exit, err := watchFuzz(ctx, env, append(args, folders...), func(s event.Stamped) {
		if f, ok := s.Event.(event.Finding); ok && f.Counts() && f.Known == nil {
			found = append(found, f)
		}
	})
	if err != nil {
		return 0, err
	}
	if exit == exitcode.Finding && !r.flags.json {
		r.advise(found)
	}
	return max(code, exit), nil
}

// trial returns the names of the targets that are fuzzed and the folders of their packages. A package is left out if it has a target with one of
// these names that gnaw has not executed.
func (r *initReport) trial() (names, folders []string) {
	tried := map[string]bool{}
	for _, t := range r.targets {
		tried[t.Name] = tried[t.Name] || !t.untried
	}
	withheld := map[string]bool{}
	for _, t := range r.targets {
		withheld[t.pkg] = withheld[t.pkg] || t.untried && tried[t.Name]
	}
	for _, t := range r.targets {
		if t.untried || withheld[t.pkg] {
			if !r.flags.json {
				fmt.Fprintf(r.env.Stdout, "-trial does not fuzz %s of %s\n", t.Name, t.pkg)
			}
			continue
		}
		names = append(names, t.Name)
		if !slices.Contains(folders, t.folder) {
			folders = append(folders, t.folder)
		}
	}
	return names, folders
}

// advise prints for each finding which lines to delete if the target is wrong.
func (r *initReport) advise(found []event.Finding) {
	for _, f := range found {
		i := slices.IndexFunc(r.targets, func(t written) bool { return t.pkg == f.Package && t.Name == f.Target })
		if i < 0 {
			continue
		}
		t := r.targets[i]
		what := t.Name
		if src, err := disk.Read(t.file, disk.MaxSource); err == nil { // otherwise somebody has removed the file
			what = write.LinesOfCheck(src, t.Name, t.failedLine(f.Record)) + " of " + project.Relative(r.env.Dir, t.file)
		}
		fmt.Fprintf(r.env.Stdout, "finding %s is a bug, or %s asks for something that %s does not promise; then delete %s\n", f.Short, t.Name, t.Covers[0], what)
	}
}

// failedLine returns the line of the target that reported the failure r; 0: the target did not report it, for example because of a panic.
func (t written) failedLine(r finding.Record) int {
	if r.Kind != finding.Failure || len(r.Calls) == 0 || path.Base(r.Calls[0].File) != filepath.Base(t.file) {
		return 0
	}
	return r.Calls[0].Line
}
