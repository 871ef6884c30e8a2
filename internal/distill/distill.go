// Package distill chooses the fewest inputs of a corpus that show the same stable features as all of them, cheap ones first.
//
// Each input is executed once. Then inputs are chosen: those that alone show some feature, and then one by one the one that shows the most
// features that none before has shown. A chosen input is executed again, and only what it shows each time counts, so few inputs are executed more than once. The package chooses, and
// removes nothing.
package distill

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Observe executes an input and returns what this execution shows. given says that the user gave it, as a seed.
type Observe func(ctx context.Context, a input.Args, given bool) (session.Observed, error)

// Result is what [Run] has chosen, as indexes of the inputs, in ascending order.
type Result struct {
	Keep     []int // of the inputs that are needed, and of those that fail, which show what others do not
	Failing  int   // of Keep
	Features int   // that the inputs and the seeds show stably
}

// repeats is how often an input is executed again before its features count: as often as the engine does for a new entry.
const repeats = 2

// Run chooses among inputs. What the seeds show needs no input, because go test and gnaw always execute seeds. progress, which may be nil, is
// called before each input is executed for the first time.
func Run(ctx context.Context, observe Observe, seeds, inputs []input.Args, progress func(done, total int)) (r Result, err error) {
	c := &choice{observe: observe, covered: &set{}}
	total := len(seeds) + len(inputs)
	tell := func(done int) {
		if progress != nil {
			progress(done, total)
		}
	}
	for i, a := range seeds {
		tell(i)
		o, err := c.stable(ctx, a, true, nil)
		if err != nil {
			return r, err
		}
		c.covered.add(o)
	}
	for i, a := range inputs {
		tell(len(seeds) + i)
		o, err := observe(ctx, a, false)
		if err != nil {
			return r, err
		}
		if o.Failed {
			r.Keep = append(r.Keep, i)
			continue
		}
		c.open = append(c.open, &candidate{index: i, args: a, cost: costOf(a, o.Took), features: pack(o.Features), gain: len(o.Features)})
	}
	r.Failing = len(r.Keep)
	base := c.covered.clone()
	chosen, err := c.choose(ctx)
	if err != nil {
		return r, err
	}
	for _, e := range withoutRedundant(base, chosen) {
		r.Keep = append(r.Keep, e.index)
	}
	slices.Sort(r.Keep)
	r.Features = c.covered.size()
	return r, nil
}

// fast is the time of an execution up to which only the size of an input counts.
const fast = time.Millisecond

// costOf returns what the executions and the mutants of an input cost: its size, for each millisecond, of which the number is rounded to a
// power of two so that small differences of the time do not count.
func costOf(a input.Args, took time.Duration) int {
	cost := a.Size() + 1
	for ; took > fast; took /= 2 {
		cost *= 2
	}
	return cost
}

// candidate is an input that may be chosen.
type candidate struct {
	index     int
	args      input.Args
	cost      int
	features  []byte // packed
	gain      int    // features that were not covered when it was computed; later, there are not more of them
	confirmed bool   // the features are stable
}

// choice is the state of a choice.
type choice struct {
	observe Observe
	covered *set
	open    candidates // a heap
}

// choose chooses until no candidate shows more than the chosen ones.
func (c *choice) choose(ctx context.Context) (chosen []*candidate, err error) {
	if chosen, err = c.needed(ctx); err != nil {
		return nil, err
	}
	heap.Init(&c.open)
	for len(c.open) > 0 {
		best := c.open[0]
		gain := c.covered.missing(best.features)
		if gain == 0 {
			heap.Pop(&c.open)
			continue
		}
		if gain == best.gain && !best.confirmed {
			if err := c.confirm(ctx, best); err != nil {
				return nil, err
			}
			gain = c.covered.missing(best.features)
		}
		if gain != best.gain { // another one may be better
			best.gain = gain
			heap.Fix(&c.open, 0)
			continue
		}
		heap.Pop(&c.open)
		c.covered.add(unpack(best.features))
		chosen = append(chosen, best)
	}
	return chosen, nil
}

// needed takes the candidates that alone show some feature.
func (c *choice) needed(ctx context.Context) (chosen []*candidate, err error) {
	var once, more set
	for _, e := range c.open {
		each(e.features, func(f cover.Feature) {
			if one := []cover.Feature{f}; once.has(f) {
				more.add(one)
			} else {
				once.add(one)
			}
		})
	}
	isNeeded := func(e *candidate) (needed bool) {
		each(e.features, func(f cover.Feature) { needed = needed || !more.has(f) && !c.covered.has(f) })
		return needed
	}
	var others candidates
	for _, e := range c.open {
		if isNeeded(e) {
			if err := c.confirm(ctx, e); err != nil {
				return nil, err
			}
			if isNeeded(e) {
				chosen = append(chosen, e)
				continue
			}
		}
		others = append(others, e)
	}
	c.open = others
	for _, e := range chosen {
		c.covered.add(unpack(e.features))
	}
	return chosen, nil
}

// confirm leaves the features of a candidate that it shows each time.
func (c *choice) confirm(ctx context.Context, e *candidate) error {
	features, err := c.stable(ctx, e.args, false, unpack(e.features))
	e.features, e.confirmed = pack(features), true
	return err
}

// stable returns which of the features an input shows each time. shown are those of an execution before; nil: there was none. An input that
// fails by chance shows nothing.
func (c *choice) stable(ctx context.Context, a input.Args, given bool, shown []cover.Feature) ([]cover.Feature, error) {
	if shown == nil {
		o, err := c.observe(ctx, a, given)
		if err != nil || o.Failed {
			return nil, err
		}
		shown = slices.Clone(o.Features)
	}
	for range repeats {
		o, err := c.observe(ctx, a, given)
		if err != nil || o.Failed {
			return nil, err
		}
		shown = slices.DeleteFunc(shown, func(f cover.Feature) bool {
			_, again := slices.BinarySearch(o.Features, f)
			return !again
		})
	}
	return shown, nil
}

// withoutRedundant leaves out the chosen candidates, expensive ones first, whose features base and the others have too: later ones may
// together show what an earlier one shows.
func withoutRedundant(base *set, chosen []*candidate) (needed []*candidate) {
	count := map[cover.Feature]int{}
	for _, e := range chosen {
		for _, f := range unpack(e.features) {
			count[f]++
		}
	}
	slices.SortStableFunc(chosen, func(a, b *candidate) int { return cmp.Compare(b.cost, a.cost) })
	for _, e := range chosen {
		features := unpack(e.features)
		if slices.ContainsFunc(features, func(f cover.Feature) bool { return count[f] == 1 && !base.has(f) }) {
			needed = append(needed, e)
			continue
		}
		for _, f := range features {
			count[f]--
		}
	}
	return needed
}

// candidates is a heap with the best candidate first: of the greatest gain, the least cost, the first one.
type candidates []*candidate

func (c candidates) Len() int { return len(c) }

func (c candidates) Less(i, j int) bool {
	a, b := c[i], c[j]
	return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.cost, b.cost), cmp.Compare(a.index, b.index)) < 0
}

func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }

// Push implements heap.Interface.
func (c *candidates) Push(x any) { *c = append(*c, x.(*candidate)) }

// Pop implements heap.Interface.
func (c *candidates) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}
