package engine

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// count counts the profiles of so many requests.
func count(p *profiles, requests int, usual float64) (n [technique.NumProfiles]int) {
	for range requests {
		n[p.choose(usual)]++
	}
	return n
}

func TestEachProfileHasAShare(t *testing.T) {
	p := new(profiles)
	n := count(p, 1000, 0.7)
	if n[technique.Usual] < 699 || n[technique.Usual] > 701 {
		t.Errorf("the usual profile has %d of 1000 requests, want 700", n[technique.Usual])
	}
	for i := 1; i < len(n); i++ {
		if n[i] < 99 || n[i] > 101 {
			t.Errorf("profile %d has %d of 1000 requests, want 100: nothing is known of any", i, n[i])
		}
	}
}

func TestAProfileThatBringsMoreHasMore(t *testing.T) {
	p := new(profiles)
	for i := range p.gain {
		p.book(technique.Profile(i), 1, 10*time.Second)
	}
	p.book(technique.Words, 50, 10*time.Second)
	n := count(p, 1000, 0.7)
	if n[technique.Words] < 2*n[technique.Deep] || n[technique.Deep] == 0 {
		t.Errorf("shares are %v: that of words must be the largest but for the usual one, and none is nothing", n)
	}
	if n[technique.Usual] < 699 {
		t.Errorf("the usual profile has %d of 1000 requests, want 700 whatever others bring", n[technique.Usual])
	}
}

func TestWhatProfilesHaveBroughtFades(t *testing.T) {
	p := new(profiles)
	p.book(technique.Words, 64, profileMemory)
	for range 5 {
		p.book(technique.Deep, 0, profileMemory)
	}
	if p.gain[technique.Words] > 1 {
		t.Errorf("gain is %v after five times the memory, want 1 at most", p.gain[technique.Words])
	}
}

func TestGainOf(t *testing.T) {
	for _, tt := range []struct {
		name  string
		entry wire.New
		want  float64
	}{
		{"an entry", wire.New{}, 1},
		{"one with a new edge", wire.New{Edges: 2}, edgeGain},
		{"one that is only smaller", wire.New{Replaces: 3}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := gainOf(tt.entry); got != tt.want {
				t.Errorf("gainOf = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAStagnantRunLeavesTheUsualProfile(t *testing.T) {
	usual := func(execs uint64, off technique.Set) (n int) {
		r := newRun(Options{Repeatable: true, Without: off})
		r.execs = execs
		for range 100 {
			if r.chooseProfile() == technique.Usual {
				n++
			}
		}
		return n
	}
	stagnant := uint64(stagnation / nominal)
	if n := usual(stagnant-1, 0); n != 100 {
		t.Errorf("%d of 100 requests before it is stagnant, want all", n)
	}
	if n := usual(stagnant, 0); n < 24 || n > 26 {
		t.Errorf("%d of 100 requests when it is, want 25", n)
	}
	if n := usual(stagnant, technique.Profiles); n != 100 {
		t.Errorf("%d of 100 requests with profiles off", n)
	}
}
