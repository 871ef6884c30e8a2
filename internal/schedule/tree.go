package schedule

import "math/bits"

// tree holds weights, of which it can draw one in proportion and change one in logarithmic time: a binary indexed tree
// (Fenwick, "A new data structure for cumulative frequency tables", 1994).
type tree struct {
	values []float64
	sums   []float64 // sums[i-1] is the sum of the values from i-lowbit(i) up to i-1
}

// fill makes values the content of the tree, which keeps them.
func (t *tree) fill(values []float64) {
	t.values = values
	t.sums = append(t.sums[:0], values...)
	for i := 1; i <= len(t.sums); i++ {
		if up := i + i&-i; up <= len(t.sums) {
			t.sums[up-1] += t.sums[i-1]
		}
	}
}

// append adds a value.
func (t *tree) append(v float64) {
	n := len(t.values) + 1
	sum := v
	for i := n - 1; i > n-n&-n; i -= i & -i {
		sum += t.sums[i-1]
	}
	t.values = append(t.values, v)
	t.sums = append(t.sums, sum)
}

// set changes value i.
func (t *tree) set(i int, v float64) {
	d := v - t.values[i]
	t.values[i] = v
	for k := i + 1; k <= len(t.sums); k += k & -k {
		t.sums[k-1] += d
	}
}

// sum returns the sum of all values.
func (t *tree) sum() (sum float64) {
	for i := len(t.sums); i > 0; i -= i & -i {
		sum += t.sums[i-1]
	}
	return sum
}

// find returns the index i such that x is at least the sum of the values before i and less than that with value i. There
// must be a value. Rounding may lead to a value of zero; then it is the next one that is not, if there is any.
func (t *tree) find(x float64) int {
	at := 0
	for step := 1 << (bits.Len(uint(len(t.sums))) - 1); step > 0; step >>= 1 {
		if next := at + step; next <= len(t.sums) && t.sums[next-1] <= x {
			x -= t.sums[next-1]
			at = next
		}
	}
	at = min(at, len(t.values)-1)
	for k := range t.values {
		if i := (at + k) % len(t.values); t.values[i] > 0 {
			return i
		}
	}
	return at
}
