package schedule

import (
	"math/rand/v2"
	"slices"
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
		{"the cheapest entry of a feature", entry(1, 8, time.Microsecond, 1), entry(2, 8, time.Microsecond+1, 1)},
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

func TestAReplacedEntryIsNotPicked(t *testing.T) {
	c := New(1)
	c.Add(entry(1, 80, time.Microsecond, 1, 2))
	c.Add(entry(2, 8, time.Microsecond, 2))
	if held := c.Held(1); !slices.Equal(held, []cover.Feature{1}) {
		t.Errorf("Held = %v, want what only entry 1 shows", held)
	}
	c.Replace(1, entry(3, 8, time.Microsecond, 1))
	if n := draws(c, 2000); n[1] != 0 || n[2] == 0 || n[3] == 0 {
		t.Errorf("picked the replaced one %d times, the others %d and %d times", n[1], n[2], n[3])
	}
	if c.Held(1) != nil {
		t.Error("a replaced entry holds features")
	}
}

func TestWhatWasTriedIsNotTakenBack(t *testing.T) {
	c := New(1)
	c.Add(entry(1, 8, time.Microsecond, 1))
	for _, step := range []struct {
		tried   uint64
		all     bool
		want    uint64
		between bool
	}{{5, false, 5, true}, {0, false, 5, true}, {9, true, 9, false}, {2, false, 9, false}} {
		c.Solved(1, step.tried, step.all)
		if tried, unsolved := c.Unsolved(1); tried != step.want || unsolved != step.between {
			t.Errorf("after Solved(%d, %v): %d tried, unsolved %v, want %d, %v", step.tried, step.all, tried, unsolved, step.want, step.between)
		}
	}
}

func TestTreeDrawsInProportion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 100} {
		var built, filled tree
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(r.IntN(4))
			built.append(values[i])
		}
		filled.fill(slices.Clone(values))
		for range 50 {
			i, v := r.IntN(n), float64(r.IntN(4))
			values[i] = v
			built.set(i, v)
			filled.set(i, v)
		}
		sum := 0.0
		for i, v := range values {
			if v > 0 && (built.find(sum) != i || filled.find(sum+v-0.5) != i) {
				t.Fatalf("%d values: find(%v) = %d and %d, want %d of %v", n, sum, built.find(sum), filled.find(sum+v-0.5), i, values)
			}
			sum += v
		}
		if built.sum() != sum || filled.sum() != sum {
			t.Fatalf("%d values: sum = %v and %v, want %v", n, built.sum(), filled.sum(), sum)
		}
	}
}

func BenchmarkPickOfManyEntries(b *testing.B) {
	c := New(1)
	for id := range uint64(100_000) {
		c.Add(entry(id, 8, time.Microsecond, cover.Feature(id)))
	}
	for b.Loop() {
		c.Pick()
	}
}

func TestAReplacedEntryIsNoWitnessIfTheOtherOneIsSlower(t *testing.T) {
	c := New(1)
	c.Add(entry(1, 9, time.Microsecond, 1, 2))
	c.Add(entry(2, 8, time.Microsecond, 2))
	c.Replace(1, entry(3, 8, 2*time.Microsecond, 1))
	if held := c.Held(3); !slices.Equal(held, []cover.Feature{1}) {
		t.Errorf("Held = %v, want what entry 1 has held", held)
	}
	c.Add(entry(4, 8, 1500*time.Nanosecond, 1))
	if held := c.Held(4); !slices.Equal(held, []cover.Feature{1}) {
		t.Errorf("Held = %v, want what a slower entry has held", held)
	}
}
