package distill

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Choice is what [Folder] has chosen.
type Choice struct {
	Result
	Entries []corpus.Entry   // all inputs that the target takes, small ones first; Keep has indexes of them
	Skipped []corpus.Skipped // other files, which stay
}

// Folder chooses among the inputs of a folder, such as the corpus of a target, beside the seeds of another folder and of F.Add. It starts the
// process, which the caller closes, and removes nothing. progress is that of [Run].
func Folder(ctx context.Context, p *session.Process, seedDir, dir string, progress func(done, total int)) (c Choice, err error) {
	if err := p.Start(ctx); err != nil {
		return c, err
	}
	hello := p.Hello()
	if hello.Counters == 0 {
		return c, errors.New("the test binary has no counters here, so nothing tells what inputs show")
	}
	var seeds []input.Args
	for _, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, hello.Kinds)
		if err != nil {
			return c, fmt.Errorf("read an input of F.Add: %w", err)
		}
		seeds = append(seeds, a)
	}
	given, _, err := corpus.LoadFitting(ctx, seedDir, hello.Kinds)
	if err != nil {
		return c, err
	}
	for _, e := range given {
		seeds = append(seeds, e.Args)
	}
	if c.Entries, c.Skipped, err = corpus.LoadFitting(ctx, dir, hello.Kinds); err != nil {
		return c, err
	}
	slices.SortStableFunc(c.Entries, func(a, b corpus.Entry) int { return a.Args.Size() - b.Args.Size() })
	inputs := make([]input.Args, len(c.Entries))
	for i, e := range c.Entries {
		inputs[i] = e.Args
	}
	c.Result, err = Run(ctx, p.Observe, seeds, inputs, progress)
	return c, err
}

// Rest returns the entries that are not needed.
func (c Choice) Rest() (list []corpus.Entry) {
	for i, e := range c.Entries {
		if _, kept := slices.BinarySearch(c.Keep, i); !kept {
			list = append(list, e)
		}
	}
	return list
}

// Remove removes the files of the entries that are not needed.
func (c Choice) Remove() error {
	for _, e := range c.Rest() {
		if err := corpus.Remove(e.Path); err != nil {
			return err
		}
	}
	return nil
}
