package cli

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/share"
)

// sharedJSON is the JSON form of what `gnaw corpus push` and `gnaw corpus pull` print.
type sharedJSON struct {
	corpusOf
	Place   string           `json:"place"`
	Inputs  int              `json:"inputs"` // that the sending side has
	New     int              `json:"new"`    // that the receiving side did not have
	Skipped []corpus.Skipped `json:"skipped"`
}

// corpusPush is `gnaw corpus push`.
func corpusPush(ctx context.Context, c *corpusCommand) error {
	return c.exchange(ctx, share.Push, "pushed to")
}

// corpusPull is `gnaw corpus pull`.
func corpusPull(ctx context.Context, c *corpusCommand) error {
	return c.exchange(ctx, share.Pull, "pulled from")
}

// exchange pushes or pulls. done says which.
func (c *corpusCommand) exchange(
	ctx context.Context, do func(context.Context, share.World, share.Place, share.Corpus) (share.Result, error), done string,
) error {
	place, err := share.Parse(c.args[0], c.env.Abs)
	if err != nil {
		return err
	}
	world := share.World{Dir: c.env.Dir, Environ: c.env.Environ}
	r, err := do(ctx, world, place, share.Corpus{Target: c.target.Package + "/" + c.target.Func, Dir: c.folders.Corpus})
	if err != nil {
		return err
	}
	if c.json {
		return writeJSON(c.env.Stdout, sharedJSON{c.about(), c.args[0], r.Inputs, r.New, append([]corpus.Skipped{}, r.Skipped...)})
	}
	c.printSkipped(r.Skipped)
	fmt.Fprintf(c.env.Stdout, "%s of %s %s %s, %d new\n", report.Plural(r.Inputs, "input"), c.target.Func, done, c.args[0], r.New)
	return nil
}
