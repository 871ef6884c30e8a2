package schedule

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// aimed returns a corpus of ten entries. Each has one feature, whose number is the distance of the entry. The distance is not known if it is
// less than least.
func aimed(least *int) *Corpus {
	c := New(1)
	c.Aim(func(f []cover.Feature) (d int, ok bool) { return int(f[0]), int(f[0]) >= *least })
	for i := range 10 {
		c.Add(&Entry{ID: uint64(i + 1), Args: input.Args{{Kind: input.Bytes, Data: make([]byte, 10)}}, Duration: 1, Features: []cover.Feature{cover.Feature(i + 3)}})
	}
	return c
}

// share returns the share of the picks that an entry has.
func share(c *Corpus, id uint64) float64 {
	n := 0
	for range 2000 {
		if c.Pick().ID == id {
			n++
		}
	}
	return float64(n) / 2000
}

func TestTheNearestEntryGetsHalfOfThePicks(t *testing.T) {
	least := 0
	c := aimed(&least)
	if s := share(c, 1); s < 0.45 || s > 0.7 {
		t.Errorf("the nearest of ten entries is picked with a share of %.2f, want half and a tenth of the rest", s)
	}
	c.Add(&Entry{ID: 20, Args: input.Args{{Kind: input.Bytes, Data: make([]byte, 10)}}, Duration: 1, Features: []cover.Feature{1}})
	if s := share(c, 20); s < 0.45 {
		t.Errorf("a new entry that is nearer is picked with a share of %.2f", s)
	}
	if s := share(c, 1); s > 0.3 {
		t.Errorf("the entry that was the nearest before is picked with a share of %.2f", s)
	}
}

func TestDistancesMayChange(t *testing.T) {
	least := 0
	c := aimed(&least)
	c.Pick()
	least = 5
	share(c, 1) // all weights are computed anew after some picks
	if s := share(c, 3); s < 0.45 {
		t.Errorf("the entry with the distance 5 is picked with a share of %.2f after smaller ones are not known", s)
	}
	least = 1000
	share(c, 1)
	if s := share(c, 3); s > 0.3 {
		t.Errorf("an entry is picked with a share of %.2f although no distance is known", s)
	}
}

func TestAReplacedEntryIsNotTheNearest(t *testing.T) {
	least := 0
	c := aimed(&least)
	c.Replace(1, &Entry{ID: 30, Args: input.Args{{Kind: input.Bytes, Data: make([]byte, 5)}}, Duration: 1, Features: []cover.Feature{3}})
	if s := share(c, 1); s > 0 {
		t.Errorf("an entry that was replaced is picked with a share of %.2f", s)
	}
	if s := share(c, 30); s < 0.45 {
		t.Errorf("the smaller form of the nearest entry is picked with a share of %.2f", s)
	}
}
