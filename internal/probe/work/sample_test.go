//go:build unix

package work

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

func TestASmallerMutantTakesThePlaceOfItsEntry(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.Contains(data, []byte("key")) {
			p.hit(10)
		}
	})
	const entry = "a long entry with a key in it and more behind"
	s.seed(1, entry)
	holds := []cover.Feature{80}
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 1000, Holds: holds}, func(r fuzzed) bool {
		for _, n := range r.found {
			in := text(t, n.Input)
			if n.Replaces != 1 || len(n.Added) != 0 || !slices.Contains(n.Features, 80) {
				t.Errorf("the entry %+v is reported, want one in the place of entry 1", n)
			}
			if !bytes.Contains([]byte(in), []byte("key")) || len(in) > len(entry)-len(entry)/smallerBy {
				t.Errorf("%q takes the place of %q", in, entry)
			}
		}
		return len(r.found) > 0
	})
}

func TestNothingTakesThePlaceOfAnEntryThatHoldsNothing(t *testing.T) {
	s := start(t, func(*testing.T, []byte, *process) {})
	s.seed(1, "a long entry, all of which could be left out")
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: 20000, RareLimit: 4}); len(r.found) > 0 {
		t.Errorf("%d entries are reported, want none", len(r.found))
	}
}

func TestRareFeaturesOfMutantsAreReportedUntilTheyAreNot(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) > 0 && data[0]&1 == 1 {
			p.hit(1)
		}
	})
	s.seed(1, "odd")
	counts := map[cover.Feature]int{}
	const limit = 4
	for range 3 {
		for _, f := range s.fuzz(wire.Fuzz{ID: 1, Execs: 10000, RareLimit: limit}).done.Rare {
			counts[f]++
		}
	}
	// Edge 0 is hit by each call.
	if counts[0] != limit+1 || counts[8] != limit+1 || len(counts) != 2 {
		t.Errorf("the features were reported as often as %v, want the features 0 and 8 %d times each", counts, limit+1)
	}
}

// The coordinator learns from the reports of one worker that features are rare no more, and then has more of them rare.
func TestWhatOneWorkerReportsRaisesTheLimit(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		for i := range 10 {
			p.hit(10 + i)
		}
	})
	s.seed(1, "some")
	c := schedule.New(1, true)
	c.Add(&schedule.Entry{ID: 1, Args: input.Args{{Kind: input.Bytes, Data: []byte("some")}}})
	first, last := c.RareLimit(), uint64(0)
	for range 40000 {
		limit := c.RareLimit()
		if limit < last || limit > math.MaxUint16/2+1 {
			t.Fatalf("behind the limit %d comes %d", last, limit)
		}
		if last = limit; limit >= 8*first {
			return
		}
		done := s.fuzz(wire.Fuzz{ID: c.Pick().ID, Execs: samplePeriod, RareLimit: limit}).done
		c.Sampled(1, done.Execs, done.Rare)
	}
	t.Errorf("the limit was %d and is %d", first, last)
}

// More features than one request can tell of are counted in the next one.
func TestSamplesCountWhatTheyReport(t *testing.T) {
	w, _ := newWorker(t, func(_ *testing.T, _ []byte, p *process) {
		for i := range maxRare + 10 {
			p.hit(10 + i)
		}
	}, "some")
	w.cov.Merge(all(0, 8*numCounters))
	w.args = w.base
	counts := map[cover.Feature]int{}
	const limit = 2
	for w.limit = 20 * samplePeriod; w.spent < w.limit; {
		w.sampler.begin(wire.Fuzz{RareLimit: limit}, numCounters)
		for end := w.spent + 2*samplePeriod; w.spent < end; {
			w.call(nil)
			w.spent++
			w.look()
		}
		for _, f := range w.sampler.rare {
			counts[f]++
		}
	}
	for i := range maxRare + 10 {
		if f := cover.Feature(8 * (10 + i)); counts[f] != limit+1 {
			t.Fatalf("the feature %d was reported %d times, want %d", f, counts[f], limit+1)
		}
	}
}

// all returns the features from low on, below high.
func all(low, high cover.Feature) (features []cover.Feature) {
	for f := low; f < high; f++ {
		features = append(features, f)
	}
	return features
}

func TestSamplesFindWhatIsNew(t *testing.T) {
	// With requests of one period, the only execution that looks at cold lines early enough is the sample.
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if len(data) > 2 && data[1] >= 0x80 {
			p.hit(3000)
		}
	})
	s.seed(1, "aaaaaaaaaaaa")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: samplePeriod, RareLimit: 4}, func(r fuzzed) bool {
		for _, n := range r.found {
			if in := text(t, n.Input); len(in) < 3 || in[1] < 0x80 {
				t.Errorf("edge 3000 is attributed to %q", in)
			}
		}
		return len(r.found) > 0
	})
}
