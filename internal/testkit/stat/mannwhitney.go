// Package stat compares samples of measurements.
package stat

import (
	"math"
	"slices"
)

// MannWhitney is the two-sided Mann-Whitney U test: the probability that two samples from one distribution differ in
// their ranks as much as these or more. Equal values share the mean of their ranks, and the distribution is the exact one
// of these very ranks over all ways to split them, so that neither ties nor few values need a correction. It is NaN if a
// sample is empty.
func MannWhitney(xs, ys []float64) float64 {
	if len(xs) == 0 || len(ys) == 0 {
		return math.NaN()
	}
	ranks := doubledRanks(slices.Concat(xs, ys))
	sum, observed := 0, 0
	for i, r := range ranks {
		sum += r
		if i < len(xs) {
			observed += r
		}
	}
	// splits[k][s] is in how many ways k ranks add up to s. A float64 is wide enough for the counts of samples of hundreds.
	splits := make([][]float64, len(xs)+1)
	for k := range splits {
		splits[k] = make([]float64, sum+1)
	}
	splits[0][0] = 1
	for _, r := range ranks {
		for k := len(xs); k > 0; k-- {
			for s := sum; s >= r; s-- {
				splits[k][s] += splits[k-1][s-r]
			}
		}
	}
	// The distribution is centered on the mean rank; doubled sums times the number of ranks keep that a whole number.
	distance := func(s int) int { return max(s*len(ranks)-sum*len(xs), sum*len(xs)-s*len(ranks)) }
	var all, extreme float64
	for s, ways := range splits[len(xs)] {
		all += ways
		if distance(s) >= distance(observed) {
			extreme += ways
		}
	}
	return extreme / all
}

// doubledRanks returns twice the rank of each value, which is a whole number even for ties.
func doubledRanks(values []float64) []int {
	sorted := slices.Sorted(slices.Values(values))
	ranks := make([]int, len(values))
	for i, v := range values {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last+1 < len(sorted) && sorted[last+1] == v {
			last++
		}
		ranks[i] = first + last + 2
	}
	return ranks
}
