package mutate

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// lone is the chain of havoc and more.
var lone [1]Chain

// havoc makes the first step of a chain of a, which stays in a.
func havoc(m *Material, a input.Args) {
	lone[0].Args = a
	Begin(m, lone[:])
	Havoc(m, lone[:])
}

// more makes the next step of the chain that havoc has begun.
func more(m *Material) { Havoc(m, lone[:]) }

// herd returns chains of one tuple that have begun.
func herd(m *Material, n int, a input.Args) []Chain {
	chains := make([]Chain, n)
	for i := range chains {
		chains[i].Args = a.Clone()
	}
	Begin(m, chains)
	return chains
}

func TestChainsAreChangedByTheSameOperatorsElsewhere(t *testing.T) {
	const runs, n = 500, 8
	same, total, different := 0, 0, 0
	for seed := range uint64(runs) {
		m := sampleMaterial(seed, 256, nil)
		chains := herd(m, n, input.Args{buffer(input.Bytes, "name = value, and (more words); other = 12", 256)})
		operators := make([][]string, n)
		m.Trace = func(name string) {
			for i := range chains {
				if m.chain == &chains[i] {
					operators[i] = append(operators[i], name)
				}
			}
		}
		Havoc(m, chains)
		for i := 1; i < n; i++ {
			if total++; slices.Equal(operators[i], operators[0]) {
				same++
			}
			if !chains[i].Args.Equal(chains[0].Args) {
				different++
			}
		}
	}
	// The others are lengths that are adjusted, and operators that do not apply.
	if same < total*7/10 || different < total*7/10 {
		t.Errorf("of %d chains %d were changed by the operators of the first one, and %d otherwise than it", total, same, different)
	}
}

func TestChainsKeepTheirContract(t *testing.T) {
	for _, a := range samples(0) {
		for seed := range uint64(300) {
			p := partnerOf(a)
			run := func() (all []input.Args) {
				m := sampleMaterial(seed, 100, p)
				chains := herd(m, 5, a)
				for range 3 {
					Havoc(m, chains)
				}
				for _, c := range chains {
					all = append(all, c.Args)
				}
				return all
			}
			first, again := run(), run()
			for i := range first {
				if !first[i].Equal(again[i]) {
					t.Fatalf("chain %d of %v with seed %d is not replayable: %v and %v", i, a, seed, first[i], again[i])
				}
			}
		}
	}
}

// An operator that takes long to find that it does not apply is not tried for each chain of a group, but one that applies to some
// of them keeps its place.
func TestAnOperatorThatDoesNotApplyIsReplacedForTheRestOfItsGroup(t *testing.T) {
	m := sampleMaterial(1, 256, nil)
	chains := herd(m, groupSize, input.Args{buffer(input.Bytes, "\x00\x01\x02\x03\x04\x05\x06\x07", 256)})
	Havoc(m, chains[:1])
	record := uint8(slices.IndexFunc(operators[:], func(o operator) bool { return o.name == "move-record" }))
	m.plan.picks, m.plan.op, m.plan.misses = m.tables.binary, record, 0
	for i := range tolerance {
		if m.plan.op != record {
			t.Fatalf("the plan has %s after %d tuples", operators[m.plan.op].name, i)
		}
		m.chain = &chains[i]
		if !mutate(m, chains[i].Args) {
			t.Fatalf("chain %d is not changed", i)
		}
	}
	if m.plan.op == record {
		t.Errorf("the plan still has %s", operators[record].name)
	}
}
