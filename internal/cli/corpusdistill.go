package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/distill"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// distillJSON is the JSON form of what `gnaw corpus distill` prints.
type distillJSON struct {
	corpusOf
	Inputs   int              `json:"inputs"` // of the corpus
	Keep     int              `json:"keep"`
	Failing  int              `json:"failing"` // inputs of keep that fail
	Bytes    int              `json:"bytes"`   // of the arguments of all inputs
	Left     int              `json:"left"`    // bytes of those of keep
	Features int              `json:"features"`
	Removed  []string         `json:"removed"` // names of files; with -n, of those that would be removed
	Skipped  []corpus.Skipped `json:"skipped"`
	Seconds  float64          `json:"seconds"` // without the build
}

// corpusDistill is `gnaw corpus distill`.
func corpusDistill(ctx context.Context, c *corpusCommand) (err error) {
	b, err := session.Build(ctx, c.spec)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	p := b.Process
	p.Refuse = c.refuse
	begin, shown := time.Now(), coverProgress{env: c.env}
	choice, err := distill.Folder(ctx, p, c.folders.Seeds, c.folders.Corpus, func(done, total int) { shown.show(c.target, done, total) })
	if err != nil {
		return err
	}
	d := c.distilled(choice)
	d.Seconds = time.Since(begin).Seconds()
	if !c.dry {
		if err := choice.Remove(); err != nil {
			return err
		}
	}
	if c.json {
		return writeJSON(c.env.Stdout, d)
	}
	c.printDistilled(d)
	return nil
}

// distilled returns the JSON form of a choice.
func (c *corpusCommand) distilled(choice distill.Choice) distillJSON {
	d := distillJSON{
		corpusOf: c.about(), Inputs: len(choice.Entries), Keep: len(choice.Keep), Failing: choice.Failing, Features: choice.Features,
		Removed: []string{}, Skipped: append([]corpus.Skipped{}, choice.Skipped...),
	}
	for _, i := range choice.Keep {
		d.Left += choice.Entries[i].Args.Size()
	}
	d.Bytes = d.Left
	for _, e := range choice.Rest() {
		d.Bytes += e.Args.Size()
		d.Removed = append(d.Removed, e.Name)
	}
	slices.Sort(d.Removed)
	return d
}

func (c *corpusCommand) printDistilled(d distillJSON) {
	c.printSkipped(d.Skipped)
	fmt.Fprintf(c.env.Stdout, "%d of %s of %s show all %d features beside the seeds: %d of %d bytes\n",
		d.Keep-d.Failing, report.Plural(d.Inputs, "input"), d.Target, d.Features, d.Left, d.Bytes)
	if d.Failing > 0 {
		fmt.Fprintf(c.env.Stdout, "inputs that fail and stay: %d\n", d.Failing)
	}
	what := "removed"
	if c.dry {
		what = "not needed; nothing is removed, because of -n"
	}
	fmt.Fprintf(c.env.Stdout, "%s %s\n", report.Plural(len(d.Removed), "input"), what)
}
