package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/distill"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// regrowth is the factor by which a corpus has to grow before it is distilled again. All entries of a corpus may be needed, and then a distillation
// removes none of them.
const regrowth = 1.5

// distillCorpus distills the corpus cache of the target if it has more entries than [Fuzzing.MaxCorpus]. It is called between two turns, when no
// worker adds entries. If ctx ends before all inputs were executed, nothing is removed.
func distillCorpus(ctx context.Context, t *target) {
	most := t.campaign.Fuzzing.MaxCorpus
	if most == 0 || ctx.Err() != nil {
		return
	}
	dir := filepath.Join(t.cache(), t.Target.Func)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) <= most || float64(len(files)) < regrowth*float64(t.needed) {
		return // a folder that cannot be read shows in the turn
	}
	t.needed = len(files) // after an error too, which the next turn would repeat
	c, err := t.campaign.distill(ctx, t, dir)
	if err == nil {
		t.needed = len(c.Keep)
		err = c.Remove()
	}
	switch removed := len(c.Entries) - len(c.Keep); {
	case err != nil && ctx.Err() != nil:
	case err != nil:
		t.notice(event.Warning, fmt.Sprintf("the corpus is not distilled: %v", err))
	default:
		t.notice(event.Distilled, fmt.Sprintf("the corpus is distilled: %d of %d inputs are kept, %d removed", len(c.Keep), len(c.Entries), removed))
	}
}

// distillFolder chooses among the inputs of the corpus cache of a target, in a process of its own.
func distillFolder(ctx context.Context, t *target, dir string) (c distill.Choice, err error) {
	f := t.campaign.Fuzzing
	binary, _, err := t.campaign.binaries.get(t.Package, Instrumented)
	if err != nil {
		return c, err
	}
	p := &session.Process{
		Config: session.Config(t.campaign.Environ, t.Target, binary, t.cache(), f.Timeout, f.Args),
		Setup:  wire.Setup{MemLimit: f.MemLimit, Procs: 1},
	}
	p.Allowed, p.Refuse = policy(t, "")
	defer func() { err = errors.Join(err, p.Close()) }()
	return distill.Folder(ctx, p, t.seeds(), dir, nil)
}
