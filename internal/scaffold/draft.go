package scaffold

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/effect"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/write"
)

// draft has the targets of a package before gnaw tries them.
type draft struct {
	p         *survey.Package
	file      string // base name of the file for the targets
	old       []byte // its content, to which the targets are added; nil: the file is new
	targets   []*plan.FuzzFunc
	undecided map[*plan.FuzzFunc]string // why gnaw does not try a target, such as "it may call os.Remove"
	result    Package
}

// fail notes an error of the package. Without an error it does nothing.
func (d *draft) fail(err error) {
	if err != nil {
		r := &d.result
		r.Problem, r.Broken, r.Targets, r.Source, r.File, d.targets = err.Error(), true, nil, nil, "", nil
	}
}

// render returns the source of the file with targets.
func (d *draft) render(targets []*plan.FuzzFunc) ([]byte, error) {
	if d.old != nil {
		return write.Update(d.old, targets)
	}
	return write.File(d.p.Header, d.p.Name, targets)
}

// draw finds the file for the targets, and sets those that can be written. It sets none if git ignores the file.
func (o Options) draw(d *draft, targets []*plan.FuzzFunc) (err error) {
	if d.file, d.old, err = o.file(d.p); err != nil {
		return err
	}
	if path := filepath.Join(d.p.Dir, d.file); o.Ignores != nil && o.Ignores(path) {
		d.result.Ignored, d.result.Problem = true, "git ignores "+path
		return nil
	}
	d.targets, err = importable(d.p, targets, &d.result)
	return err
}

// judge removes the targets that certainly act outside of their process, and sets why gnaw does not try those that may do so.
func (o Options) judge(ctx context.Context, drafts []*draft) error {
	e := effect.Options{Source: o.Source, Overlay: map[string][]byte{}}
	for _, d := range drafts {
		if len(d.targets) == 0 {
			continue
		}
		src, err := d.render(d.targets)
		if err != nil {
			d.fail(err)
			continue
		}
		e.Packages, e.Overlay[filepath.Join(d.p.Dir, d.file)] = append(e.Packages, d.p.Path), src
	}
	if len(e.Packages) == 0 {
		return nil
	}
	effects, err := effect.Judge(ctx, e)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, d := range drafts {
		d.undecided = map[*plan.FuzzFunc]string{}
		d.targets = slices.DeleteFunc(d.targets, func(t *plan.FuzzFunc) bool {
			found, ok := effects[d.p.Path+"."+t.Name]
			switch {
			case found.Certain:
				d.result.Skipped = append(d.result.Skipped, plan.Skipped{Key: t.Covers[0], Reason: "it calls " + found.String()})
				return true
			case o.RunAll:
			case err != nil:
				d.undecided[t] = "the sources of what it calls cannot be read: " + err.Error()
			case !ok:
				d.undecided[t] = "the source of the target cannot be read"
			case found.Call != "":
				d.undecided[t] = "it may call " + found.String()
			}
			return false
		})
	}
	return nil
}
