package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/distill"
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
	if err := p.Start(ctx); err != nil {
		return err
	}
	if p.Hello().Counters == 0 {
		return fmt.Errorf("the test binary of %s has no counters here, so nothing tells what its inputs show", c.target.Package)
	}
	begin := time.Now()
	seeds, err := c.seeds(ctx, p)
	if err != nil {
		return err
	}
	list, skipped, err := inputsOf(ctx, []string{c.folders.Corpus}, p.Kinds())
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b corpus.Entry) int { return a.Args.Size() - b.Args.Size() })
	inputs := make([]input.Args, len(list))
	for i, e := range list {
		inputs[i] = e.Args
	}
	shown := coverProgress{env: c.env}
	r, err := distill.Run(ctx, p.Observe, seeds, inputs, func(done, total int) { shown.show(c.target, done, total) })
	if err != nil {
		return err
	}
	d := c.distilled(list, r)
	d.Skipped, d.Seconds = skipped, time.Since(begin).Seconds()
	if !c.dry {
		for _, name := range d.Removed {
			if err := corpus.Remove(filepath.Join(c.folders.Corpus, name)); err != nil {
				return err
			}
		}
	}
	if c.json {
		return writeJSON(c.env.Stdout, d)
	}
	c.printDistilled(d)
	return nil
}

// seeds returns the inputs of F.Add and testdata/fuzz.
func (c *corpusCommand) seeds(ctx context.Context, p *session.Process) (seeds []input.Args, err error) {
	hello := p.Hello()
	for _, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, hello.Kinds)
		if err != nil {
			return nil, fmt.Errorf("read an input of F.Add: %w", err)
		}
		seeds = append(seeds, a)
	}
	list, _, err := inputsOf(ctx, []string{c.folders.Seeds}, hello.Kinds)
	for _, e := range list {
		seeds = append(seeds, e.Args)
	}
	return seeds, err
}

// distilled returns the JSON form of a choice.
func (c *corpusCommand) distilled(list []corpus.Entry, r distill.Result) distillJSON {
	d := distillJSON{corpusOf: c.about(), Inputs: len(list), Keep: len(r.Keep), Failing: r.Failing, Features: r.Features, Removed: []string{}}
	for i, e := range list {
		d.Bytes += e.Args.Size()
		if _, kept := slices.BinarySearch(r.Keep, i); kept {
			d.Left += e.Args.Size()
		} else {
			d.Removed = append(d.Removed, e.Name)
		}
	}
	slices.Sort(d.Removed)
	return d
}

func (c *corpusCommand) printDistilled(d distillJSON) {
	c.printSkipped(d.Skipped)
	fmt.Fprintf(c.env.Stdout, "%d of %s of %s show all %d features beside the seeds: %d of %d bytes\n",
		d.Keep-d.Failing, plural(d.Inputs, "input"), d.Target, d.Features, d.Left, d.Bytes)
	if d.Failing > 0 {
		fmt.Fprintf(c.env.Stdout, "inputs that fail and stay: %d\n", d.Failing)
	}
	what := "removed"
	if c.dry {
		what = "not needed; nothing is removed, because of -n"
	}
	fmt.Fprintf(c.env.Stdout, "%s %s\n", plural(len(d.Removed), "input"), what)
}
