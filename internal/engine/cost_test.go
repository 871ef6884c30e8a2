package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// grows is the finding that a piece of one byte makes the time grow.
func grows() *finding.Finding {
	return &finding.Finding{
		Kind: finding.Growth, Target: "FuzzX", Input: args("x"),
		Measure: &finding.Measure{Limit: uint64(50 * time.Millisecond), Piece: finding.Piece{To: 1}},
	}
}

func TestTheCostOfGrowthInPlainGoTest(t *testing.T) {
	ms := time.Millisecond
	square := func(n int) time.Duration { return time.Duration(n) * time.Duration(n) / 1e4 * time.Microsecond }
	for _, tt := range []struct {
		name string
		took func(n int) (time.Duration, bool) // with so many bytes
		want *finding.Cost                     // nil: there is none
		real bool
	}{
		{"of something quadratic", func(n int) (time.Duration, bool) { return square(n), true }, &finding.Cost{Copies: 80000, Size: 80000, Took: 640 * ms, Power: 2}, true},
		{"of something that is linear there", func(n int) (time.Duration, bool) { return time.Duration(n) * 5 * time.Microsecond, true }, nil, false},
		{"of something that is fast there", func(n int) (time.Duration, bool) { return time.Duration(n) * time.Nanosecond, true }, nil, false},
		{"of something that takes too long soon", func(n int) (time.Duration, bool) {
			if n > 11000 {
				return 0, false
			}
			return 100 * square(n), true
		}, &finding.Cost{Copies: 10000, Size: 10000, Took: 1000 * ms, Power: 2}, true},
		{"of something that is fast or takes too long", func(n int) (time.Duration, bool) { return 0, n < 6000 }, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			r := startTurn(t, l)
			r.PlainTime = func(_ context.Context, x proof.Execution, _ time.Duration) (time.Duration, bool, error) {
				a, err := corpus.Read(filepath.Join(r.WriteDir, x.Name), corpus.GoTest([]input.Kind{input.Bytes}))
				if err != nil {
					t.Fatal(err)
				}
				took, ended := tt.took(a.Size())
				return took, ended, nil
			}
			f, err := r.oracles.price(grows(), 5000)
			if err != nil || (f != nil) != tt.real {
				t.Fatalf("price = %+v, %v, want a finding: %v", f, err, tt.real)
			}
			if tt.want == nil {
				if f != nil && f.Measure.Cost != nil {
					t.Errorf("the cost is %+v, want none", f.Measure.Cost)
				}
			} else {
				c := *f.Measure.Cost
				if c.Power > tt.want.Power-0.1 && c.Power < tt.want.Power+0.1 {
					c.Power = tt.want.Power
				}
				if c != *tt.want {
					t.Errorf("the cost is %+v, want %+v", c, *tt.want)
				}
			}
			if names := l.files(r.WriteDir); len(names) != 0 {
				t.Errorf("the files %v are left", names)
			}
		})
	}
}

func TestGrowthThatCannotBeTimedStaysAFinding(t *testing.T) {
	for name, set := range map[string]func(r *engine){
		"without a plain binary": func(*engine) {},
		"that cannot be built": func(r *engine) {
			r.PlainTime = func(context.Context, proof.Execution, time.Duration) (time.Duration, bool, error) {
				return 0, false, errors.New("no")
			}
		},
		"in a folder that cannot be written": func(r *engine) {
			r.WriteDir = filepath.Join(os.DevNull, "fuzz")
			r.PlainTime = func(context.Context, proof.Execution, time.Duration) (time.Duration, bool, error) {
				return 0, true, nil
			}
		},
		"that fails where it is larger": func(r *engine) {
			r.PlainTime = func(context.Context, proof.Execution, time.Duration) (time.Duration, bool, error) {
				return 0, false, nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := startTurn(t, newLab(t))
			set(r)
			if f, err := r.oracles.price(grows(), 5000); err != nil || f == nil || f.Measure.Cost != nil {
				t.Errorf("price = %+v, %v, want a finding without a cost", f, err)
			}
		})
	}
}

// The larger inputs are not left in testdata, and are those that the oracle has checked.
func TestWhatIsTimedIsThePieceRepeated(t *testing.T) {
	r := startTurn(t, newLab(t))
	f := grows()
	f.Input, f.Measure.Piece = args("(a)"), finding.Piece{From: 0, To: 1, CloseFrom: 2, CloseTo: 3}
	p := &pricing{oracles: r.oracles, ctx: t.Context(), f: f}
	r.PlainTime = func(_ context.Context, x proof.Execution, _ time.Duration) (time.Duration, bool, error) {
		a, err := corpus.Read(filepath.Join(r.WriteDir, x.Name), corpus.GoTest([]input.Kind{input.Bytes}))
		if err != nil || string(a[0].Data) != "(((a)))" || p.size(3) != len("(((a)))") {
			t.Errorf("%q of %d bytes is timed, %v", a.Values(), p.size(3), err)
		}
		return time.Second, true, nil
	}
	if took, ended := p.time(3); took != time.Second || !ended || p.failed {
		t.Errorf("time = %v, %v, failed: %v", took, ended, p.failed)
	}
}
