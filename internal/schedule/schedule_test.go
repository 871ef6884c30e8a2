package schedule

import (
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

func entry(id uint64, size int, d time.Duration, features ...cover.Feature) *Entry {
	return &Entry{ID: id, Args: input.Args{{Kind: input.Bytes, Data: make([]byte, size)}}, Duration: d, Features: features}
}

// draws counts how often each entry is picked in n draws.
func draws(c *Corpus, n int) map[uint64]int {
	count := map[uint64]int{}
	for range n {
		count[c.Pick().ID]++
	}
	return count
}

func TestPickPrefers(t *testing.T) {
	for _, tt := range []struct {
		name          string
		better, worse *Entry
	}{
		{"the faster entry", entry(1, 8, time.Microsecond, 1), entry(2, 8, 50*time.Microsecond, 2)},
		{"the smaller entry", entry(1, 8, time.Microsecond, 1), entry(2, 800, time.Microsecond, 2)},
		{"the best witness of a feature", entry(1, 8, time.Microsecond, 1), entry(2, 8, time.Microsecond+1, 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := New(1)
			c.Add(tt.better)
			c.Add(tt.worse)
			n := draws(c, 10000)
			if n[1] <= n[2] || n[2] == 0 {
				t.Errorf("picked the better one %d times and the worse one %d times", n[1], n[2])
			}
		})
	}
}

func TestANewEdgeIsPickedSoon(t *testing.T) {
	c := New(1)
	for id := range uint64(20) {
		c.Add(entry(id, 8, time.Microsecond, cover.Feature(id)))
	}
	draws(c, 2000)
	e := entry(99, 8, time.Microsecond, 99)
	e.Edges = 1
	c.Add(e)
	if n := draws(c, 40); n[99] == 0 {
		t.Error("an entry with a new edge was not picked within 40 draws of 21 entries")
	}
}

func TestDrawsFollowFromTheSeed(t *testing.T) {
	order := func() (ids []uint64) {
		c := New(7)
		for id := range uint64(50) {
			c.Add(entry(id, int(id), time.Duration(id), cover.Feature(id)))
		}
		for range 200 {
			ids = append(ids, c.Pick().ID)
		}
		return ids
	}
	a, b := order(), order()
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("draw %d differs: %d and %d", i, a[i], b[i])
		}
	}
}

func TestAnEmptyCorpusGivesNothing(t *testing.T) {
	if c := New(1); c.Pick() != nil || c.Random() != nil || c.Entry(1) != nil {
		t.Error("an empty corpus gave an entry")
	}
}
