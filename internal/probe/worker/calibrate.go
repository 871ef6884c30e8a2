package worker

import (
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// maxStrikes is how often a feature may be new and then be missing in the repetitions before it is ignored. Other fuzzers have the
// same limit; a lower one loses features that depend on rare but real conditions.
const maxStrikes = 3

// slowExec is the duration from which on an input is repeated only once, or not at all if it is a seed, since there is time for few
// executions. The fuzz test of image/gif encodes with each of 256 palettes, which takes seconds.
const slowExec = 250 * time.Millisecond

// calibration is what the repetitions of an input showed.
type calibration struct {
	features []cover.Feature // shown by every repetition; if there was only one, new ones were shown by the first execution too
	added    []cover.Feature // those of them that the global map does not have
	duration time.Duration   // of the faster repetition
	outcome                  // of a repetition that ended it
}

// calibrate repeats an input whose first execution showed the features first, of which some were new. It returns those that are
// stable; the others get a strike.
func (f *feedback) calibrate(a input.Args, first []cover.Feature) calibration {
	var c calibration
	failure := f.run.doNear(func() { c = calibration{features: first} }, func() { f.repeat(a, &c) })
	if failure.failed {
		c.outcome = failure
	}
	if c.ended() {
		return c
	}
	for _, feature := range c.features {
		if !f.run.cov.Known(feature) {
			c.added = append(c.added, feature)
		}
	}
	f.strike(first, c.features)
	return c
}

// believe is calibrate for an input that was executed alone, in the time took. If that was long, one execution is enough, unless it
// was the first one of the process, which may fill tables.
func (f *feedback) believe(a input.Args, first []cover.Feature, took time.Duration) calibration {
	if took < slowExec || f.setup.NoClock || f.run.seg.Execs() == 1 {
		return f.calibrate(a, first)
	}
	return calibration{features: slices.Clone(f.run.trace), added: first, duration: took}
}

// repeat executes an input twice, or once if that takes long, and notes in c what these executions show. On entry c has the
// features of the first execution.
func (f *feedback) repeat(a input.Args, c *calibration) {
	first := c.features
	for run := range 2 {
		if f.run.left() == 0 || f.setup.Without.Has(technique.Calibrate) {
			if run > 0 {
				c.features = f.confirmed(c.features, first)
			}
			return // there is only one execution
		}
		start := time.Now()
		if c.outcome = f.run.once(a); c.ended() {
			return
		}
		if took := time.Since(start); run == 0 || took < c.duration {
			c.duration = took
		}
		if run == 0 {
			c.features = slices.Clone(f.run.trace)
		} else {
			c.features = intersect(c.features, f.run.trace)
		}
		if c.duration >= slowExec && !f.setup.NoClock {
			c.features = f.confirmed(c.features, first)
			return
		}
	}
}

// confirmed drops the features that only one execution has shown: those that are neither known nor in the ascending list shown. It
// changes features.
func (f *feedback) confirmed(features, shown []cover.Feature) []cover.Feature {
	return slices.DeleteFunc(features, func(feature cover.Feature) bool {
		_, again := slices.BinarySearch(shown, feature)
		return !again && !f.run.cov.Known(feature)
	})
}

// strike counts the features that were seen once and are not stable.
func (f *feedback) strike(seen, stable []cover.Feature) {
	for _, feature := range seen {
		for len(stable) > 0 && stable[0] < feature {
			stable = stable[1:]
		}
		if len(stable) > 0 && stable[0] == feature {
			continue
		}
		if f.strikes[feature]++; f.strikes[feature] >= maxStrikes {
			f.run.cov.Ignore([]cover.Feature{feature})
		}
	}
}
