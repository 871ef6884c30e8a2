package schedule

import (
	"math"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// Workers count samples in 16 bits, and once more than the limit.
func TestTheLimitOfRarityHasALimit(t *testing.T) {
	r := newRareFeatures(true)
	var of rarity
	often := slices.Repeat([]cover.Feature{1, 2, 3, 4}, math.MaxUint16)
	for range 20 {
		r.book(&of, often)
		r.refresh()
	}
	if r.limit <= firstLimit || r.limit >= math.MaxUint16 {
		t.Errorf("the limit is %d, want more than %d and less than %d", r.limit, firstLimit, math.MaxUint16)
	}
}
