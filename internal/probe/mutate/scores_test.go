package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

func drawn(m *Material, draws int) []int {
	counts := make([]int, len(m.Tokens))
	for range draws {
		m.token()
		counts[m.drawn]++
	}
	return counts
}

func TestTokensAreDrawnByTheirSuccesses(t *testing.T) {
	m := &Material{Rand: NewRand(1), Tokens: make([][]byte, 10)}
	for range 5 {
		m.Reward(3)
	}
	m.Reward(7)
	m.Reward(-1)
	m.Reward(10)
	got := drawn(m, 16000) // 16 shares, of which 10 are by rank
	for i, n := range got {
		want := 100 * (2*(10-i) - 1)
		switch i {
		case 3:
			want += 5000
		case 7:
			want += 1000
		}
		if n < want*8/10 || n > want*12/10 {
			t.Errorf("token %d was drawn %d times, want about %d: %v", i, n, want, got)
		}
	}
}

func TestSuccessesDoNotCrowdOutOtherTokens(t *testing.T) {
	m := &Material{Rand: NewRand(1), Tokens: make([][]byte, 10)}
	for range 5 * rememberedWins {
		m.Reward(3)
	}
	if got := drawn(m, 50000); slices.Min(got) < 50 {
		t.Errorf("after many successes of one: %v", got)
	}
	m.Tokens = m.Tokens[:2] // the successes are those of a token that is no more
	if got := drawn(m, 1000); slices.Min(got) < 200 {
		t.Errorf("after the list got shorter: %v", got)
	}
}

func TestUsedNamesTheTokensOfTheMutant(t *testing.T) {
	m := &Material{Rand: NewRand(1), MaxLen: 1000}
	for i := range 5 {
		m.Tokens = append(m.Tokens, fmt.Appendf(nil, "token%d", i))
	}
	with, named := 0, 0
	for range 5000 {
		a := input.Args{buffer(input.String, "some, text: (here)", 0)}
		havoc(m, a)
		for i, tok := range m.Tokens {
			if bytes.Contains(a[0].Data, tok) {
				with++
				if slices.Contains(lone[0].Used(), i) {
					named++
				}
			}
		}
	}
	if with < 200 || named < with*95/100 { // a digit of a token may change
		t.Errorf("%d mutants had a token, and Used named it for %d", with, named)
	}
}

// TestWithoutLeavesOperatorsOut: an operator that belongs to a technique shows as long as one of its techniques is on.
func TestWithoutLeavesOperatorsOut(t *testing.T) {
	parts := map[string]technique.Set{}
	for _, o := range operators {
		parts[o.name] = o.part
	}
	for _, o := range slices.Concat(intOperators[:], floatOperators[:]) {
		parts[o.name] = o.part
	}
	parts["fix-length"], parts["fix-checksum"] = technique.LengthFields, technique.Checksums
	for _, without := range []technique.Set{
		technique.Text, technique.JSON, technique.Runes, technique.LengthFields, technique.Checksums, technique.Splice,
		technique.Floats, technique.Dictionary, technique.Tokens, anyToken, ^technique.Set(0),
	} {
		for _, a := range samples(256) {
			m := sampleMaterial(1, 256, partnerOf(a))
			m.Without = without
			m.Trace = func(name string) {
				if p := parts[name]; p != 0 && without.Has(p) {
					t.Errorf("without %b, %q was applied", without, name)
				}
			}
			for range 1000 {
				havoc(m, a.Clone())
			}
		}
	}
}
