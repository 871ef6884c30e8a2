//go:build unix

package worker

import (
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/solve"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestSuggestionsThatTakeTooLongBecomeSmaller(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int
		took []time.Duration
		want int
	}{
		{"nothing was slow", 60000, []time.Duration{slowSolved, slowSolved}, 0},
		{"one that lost its processor", 60000, []time.Duration{time.Hour, slowSolved, time.Hour}, 0},
		{"four times too slow", 60000, []time.Duration{4 * slowSolved, 4 * slowSolved}, 30000},
		{"much too slow", 60000, []time.Duration{time.Hour, time.Hour}, largeSolved},
		{"a faster one afterwards", 60000, []time.Duration{4 * slowSolved, 4 * slowSolved, 2 * slowSolved}, 30000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := sizeLimit{size: tt.size}
			for _, took := range tt.took {
				g.learn(took)
			}
			if g.longest != tt.want {
				t.Errorf("suggestions may make %d bytes, want %d", g.longest, tt.want)
			}
		})
	}
}

func TestOnlyLargeSuggestionsAreTimed(t *testing.T) {
	large := input.Args{{Kind: input.Bytes, Data: make([]byte, largeSolved)}}
	small := input.Args{{Kind: input.Bytes, Data: make([]byte, largeSolved-1)}}
	for _, tt := range []struct {
		name    string
		input   input.Args
		noClock bool
		want    bool
	}{{"large", large, false, true}, {"small", small, false, false}, {"where no clock counts", large, true, false}} {
		var g sizeLimit
		if g.begin(tt.input, tt.noClock); (g.size > 0) != tt.want {
			t.Errorf("%s: timed is %v, want %v", tt.name, g.size > 0, tt.want)
		}
	}
}

func TestLargeSuggestionsAreApproached(t *testing.T) {
	for _, tt := range []struct {
		name       string
		limit      sizeLimit
		size, base int
		want       step
		left       int // bytes
	}{
		{"small", sizeLimit{}, largeSolved, 10, stepWhole, largeSolved},
		{"large, when nothing is known", sizeLimit{}, 60000, 10, stepPart, largeSolved},
		{"large, when parts were fast", sizeLimit{fast: largeSolved}, 60000, 10, stepPart, sizeStep * largeSolved},
		{"large, when larger ones were fast", sizeLimit{fast: 16000}, 60000, 10, stepWhole, 60000},
		{"as large as the entry", sizeLimit{}, 60000, 60000, stepWhole, 60000},
		{"large, when parts were slow", sizeLimit{slow: minSlow}, 60000, 10, stepNone, 60000},
		{"large, when enough parts were executed", sizeLimit{parts: maxSteps}, 60000, 10, stepNone, 60000},
		{"small, when parts were slow", sizeLimit{slow: minSlow}, 1000, 10, stepWhole, 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := input.Args{{Kind: input.Bytes, Data: make([]byte, 3)}, {Kind: input.Bytes, Data: make([]byte, tt.size-3)}}
			if got := tt.limit.approach(a, tt.base); got != tt.want || a.Size() != tt.left || len(a[0].Data) != 3 {
				t.Errorf("approach = %v, %d bytes are left, want %v, %d", got, a.Size(), tt.want, tt.left)
			}
		})
	}
}

// A target that takes the square of the size of its input would take ten seconds for the first one of 64 KiB.
func TestNoSuggestionIsMuchLargerThanWhatWasFast(t *testing.T) {
	const wanted = 60000
	s := start(t, func(_ *testing.T, data []byte, _ *process) { isLength(data, wanted, 1) })
	s.seed(1, "seed")
	s.fuzz(wire.Fuzz{ID: 1, Execs: 200, Study: true, Solve: true})
	largest, grown := largeSolved/sizeStep, 0
	for _, b := range s.p.inputs {
		if len(b) > sizeStep*largest {
			t.Errorf("an input of %d bytes behind one of %d", len(b), largest)
		}
		if len(b) > largest {
			largest = len(b)
			grown++
		}
	}
	if grown == 0 {
		t.Error("no input is as large as any that would be timed")
	}
}

// Nothing of a suggestion is lost by its parts: as long as they are fast, it is made again until it is whole.
func TestASuggestionIsMadeAgainUntilItIsWhole(t *testing.T) {
	for _, tt := range []struct {
		name string
		took time.Duration // each of them
		want []int         // sizes
	}{
		{"all are fast", 0, []int{4096, 16384, 60000}},
		{"the first parts are slow", time.Second, []int{4096, 4096}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, seg := segments(t)
			base := input.Args{{Kind: input.Bytes, Data: []byte("seed")}}
			list := &suggestions{seg: seg, edits: []solve.Edit{{Resize: 60000}}}
			run := &runner{scratch: base.Clone()}
			m := mutator{run: run, list: list, setup: &wire.Setup{}, base: base}
			var sizes []int
			for load(run.scratch, base); m.suggest() && len(sizes) < maxSteps; load(run.scratch, base) {
				sizes = append(sizes, run.scratch.Size())
				list.sizes.size = run.scratch.Size()
				list.sizes.learn(tt.took)
			}
			if !slices.Equal(sizes, tt.want) || list.busy() {
				t.Errorf("inputs of %d bytes are made, %d suggestions are tried; want %d", sizes, list.tried, tt.want)
			}
		})
	}
}
