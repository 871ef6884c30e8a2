package distill

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

func text(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }

func texts(list ...string) (inputs []input.Args) {
	for _, s := range list {
		inputs = append(inputs, text(s))
	}
	return inputs
}

// letters observes a target whose features are the letters of an input. "?" shows in the first execution only, "!" fails, and "S" takes long.
func letters(runs map[string]int) Observe {
	return func(_ context.Context, a input.Args, _ bool) (o session.Observed, err error) {
		s := string(a[0].Data)
		runs[s]++
		o.Took = time.Microsecond
		for _, c := range []byte(s) {
			switch {
			case c == '!':
				return session.Observed{Failed: true}, nil
			case c == 'S':
				o.Took = time.Second
				continue
			case c == '?' && runs[s] > 1:
				continue
			}
			o.Features = append(o.Features, cover.Feature(c)*100)
		}
		slices.Sort(o.Features)
		o.Features = slices.Compact(o.Features)
		return o, nil
	}
}

func TestTheFewestInputsAreChosen(t *testing.T) {
	for _, tt := range []struct {
		name          string
		seeds, inputs []string
		want          []int
		features      int
	}{
		{"none", nil, nil, nil, 0},
		{"one shows what two show", nil, []string{"a", "b", "ab"}, []int{2}, 2},
		{"of equal ones the smallest", nil, []string{"aabb", "ab", "aab"}, []int{1}, 2},
		{"of equal ones the fast one", nil, []string{"abS", "aabb"}, []int{1}, 2},
		{"what seeds show needs no input", []string{"ab"}, []string{"a", "b", "abc"}, []int{2}, 3},
		{"seeds show all", []string{"ab"}, []string{"a"}, nil, 2},
		{"what fails stays", nil, []string{"a!", "a", "b!"}, []int{0, 1, 2}, 1},
		{"what is not stable does not count", nil, []string{"a?", "ab"}, []int{1}, 2},
		{"a seed that is not stable", []string{"a?"}, []string{"a?b"}, []int{0}, 2},
		{"later ones make an earlier one redundant", nil, []string{"abcd", "abef", "cdgh", "eg"}, []int{1, 2}, 8},
		{"three for the greedy, of which one is redundant", nil, []string{"bcde", "abc", "def"}, []int{1, 2}, 6},
	} {
		r, err := Run(t.Context(), letters(map[string]int{}), texts(tt.seeds...), texts(tt.inputs...), nil)
		if err != nil || !slices.Equal(r.Keep, tt.want) || r.Features != tt.features {
			t.Errorf("%s: %v with %d features (%v), want %v with %d", tt.name, r.Keep, r.Features, err, tt.want, tt.features)
		}
	}
}

func TestFewInputsAreExecutedMoreThanOnce(t *testing.T) {
	runs := map[string]int{}
	list := texts("abcdefgh")
	for _, first := range "abcdefgh" {
		for _, second := range "abcdefgh" {
			list = append(list, text(string([]rune{first, second})))
		}
	}
	done := 0
	r, err := Run(t.Context(), letters(runs), nil, list, func(n, total int) {
		if n != done || total != len(list) {
			t.Errorf("progress is %d of %d", n, total)
		}
		done++
	})
	if err != nil || done != len(list) || !slices.Equal(r.Keep, []int{0}) {
		t.Fatalf("%v are kept of %d (%v)", r.Keep, done, err)
	}
	for s, n := range runs {
		if want := map[bool]int{true: 1 + repeats, false: 1}[s == "abcdefgh"]; n != want {
			t.Errorf("%q was executed %d times, want %d", s, n, want)
		}
	}
}

func TestAnErrorEndsTheChoice(t *testing.T) {
	broken := errors.New("broken")
	for fail := range 6 { // seed three times, then two inputs, then a repetition
		n := 0
		_, err := Run(t.Context(), func(ctx context.Context, a input.Args, given bool) (session.Observed, error) {
			if n++; n == fail+1 {
				return session.Observed{}, broken
			}
			return letters(map[string]int{})(ctx, a, given)
		}, texts("a"), texts("b", "c"), nil)
		if !errors.Is(err, broken) {
			t.Errorf("execution %d fails, and the error is %v", fail+1, err)
		}
	}
}

// aflRule chooses as afl-cmin does: for each feature that is not covered yet, rare ones first, the smallest input that shows it.
func aflRule(features [][]cover.Feature) (chosen int) {
	by := map[cover.Feature][]int{}
	for i, list := range features {
		for _, f := range list {
			by[f] = append(by[f], i)
		}
	}
	var all []cover.Feature
	for f := range by {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b cover.Feature) int { return len(by[a]) - len(by[b]) })
	covered := map[cover.Feature]bool{}
	for _, f := range all {
		if covered[f] {
			continue
		}
		best := by[f][0]
		for _, i := range by[f] {
			if len(features[i]) < len(features[best]) {
				best = i
			}
		}
		chosen++
		for _, g := range features[best] {
			covered[g] = true
		}
	}
	return chosen
}

func TestNoMoreThanByTheRuleOfAFLAreChosen(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		features := make([][]cover.Feature, 300)
		inputs := make([]input.Args, len(features))
		for i := range features {
			for range 1 + r.IntN(40) {
				features[i] = append(features[i], cover.Feature(r.IntN(1+r.IntN(2000))))
			}
			slices.Sort(features[i])
			features[i] = slices.Compact(features[i])
			inputs[i] = input.Args{{Kind: input.Int, Bits: uint64(i)}}
		}
		got, err := Run(t.Context(), func(_ context.Context, a input.Args, _ bool) (session.Observed, error) {
			return session.Observed{Features: features[a[0].Bits]}, nil
		}, nil, inputs, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, kept := &set{}, &set{}
		for _, list := range features {
			all.add(list)
		}
		for _, i := range got.Keep {
			kept.add(features[i])
		}
		if !slices.Equal(all.words, kept.words) || got.Features != all.size() {
			t.Fatal("features are lost")
		}
		if rule := aflRule(features); len(got.Keep) > rule {
			t.Errorf("%d are kept, and %d by the rule of AFL", len(got.Keep), rule)
		}
	}
}

func TestFeaturesArePackedAndUnpacked(t *testing.T) {
	for _, list := range [][]cover.Feature{{}, {0}, {0, 1, 2}, {7, 300, 1 << 20, 1<<32 - 1}} {
		if got := unpack(pack(list)); !slices.Equal(got, list) {
			t.Errorf("%v are %v", list, got)
		}
	}
}
