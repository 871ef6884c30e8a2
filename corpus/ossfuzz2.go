package corpus

import (
	"bytes"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
)

// ossFuzz2 is the codec of ossfuzz-v2: the numbers in their order, big-endian, then a weight of one byte for each buffer, then the content of
// the buffers. A buffer gets the share of the content that its weight has in the sum of weights, rounded down, and the last buffer what
// is left.
type ossFuzz2 struct{ kinds []input.Kind }

func ossFuzz2Codec(kinds []input.Kind) Codec { return ossFuzz2{kinds} }

// Marshal fails if no weights give the lengths of the buffers.
func (c ossFuzz2) Marshal(a input.Args) ([]byte, error) {
	if err := input.CheckKinds(a, c.kinds); err != nil {
		return nil, err
	}
	b := make([]byte, 0, a.Size()+len(a))
	var lengths []int
	for _, v := range a {
		if v.Kind.IsBuffer() {
			lengths = append(lengths, len(v.Data))
		} else if v.Kind == input.Bool {
			b = append(b, byte(v.Bits&1))
		} else {
			b = appendNumber(b, v)
		}
	}
	weights, ok := weightsOf(lengths)
	if !ok {
		return nil, fmt.Errorf("no weights of one byte divide the buffers into the lengths %v", lengths)
	}
	b = append(b, weights...)
	for _, v := range a {
		b = append(b, v.Data...)
	}
	return b, nil
}

// Unmarshal does what the wrapper does: it takes any file, and what is missing is zero.
func (c ossFuzz2) Unmarshal(file []byte) (input.Args, error) {
	a := input.Zero(c.kinds)
	take := func(n int) []byte {
		b := make([]byte, n)
		file = file[copy(b, file):]
		return b
	}
	var buffers []int
	for i, k := range c.kinds {
		if k.IsBuffer() {
			buffers = append(buffers, i)
			continue
		}
		b := take(width(k))
		if k == input.Bool {
			b[0] &= 1
		}
		a[i] = number(k, b)
	}
	weights := take(len(buffers))
	for i, n := range shares(weights, len(file)) {
		a[buffers[i]].Data = bytes.Clone(file[:n])
		file = file[n:]
	}
	return a, nil
}

// shares returns the lengths of the buffers that have these weights, of size bytes in all.
func shares(weights []byte, size int) []int {
	lengths := make([]int, len(weights))
	sum, left := 0, size
	for _, w := range weights {
		sum += int(w)
	}
	for i, w := range weights {
		switch {
		case i == len(weights)-1:
			lengths[i] = left
		case sum == 0:
			lengths[i] = size / len(weights)
		default:
			lengths[i] = share(size, int(w), sum)
		}
		left -= lengths[i]
	}
	return lengths
}

// share returns the part of size that a weight has in a sum of weights.
func share(size, weight, sum int) int { return int(int64(size) * int64(weight) / int64(sum)) }

// weightsOf returns weights that give these lengths, if there are any: those with the least sum.
func weightsOf(lengths []int) (weights []byte, ok bool) {
	weights = make([]byte, len(lengths))
	if len(lengths) == 0 {
		return weights, true
	}
	size := 0
	for _, n := range lengths {
		size += n
	}
	if isShared(weights, lengths, size) {
		return weights, true
	}
	for sum := 1; sum <= maxWeight*len(lengths); sum++ {
		if fit(weights, lengths, size, sum) {
			return weights, true
		}
	}
	return nil, false
}

// maxWeight is the largest weight.
const maxWeight = 255

// fit sets the least weights with this sum that give the lengths. A length n of size needs a weight w with n ≤ size·w/sum < n+1; the last
// weight is what is left of the sum.
func fit(weights []byte, lengths []int, size, sum int) bool {
	last := len(weights) - 1
	left := sum
	for i, n := range lengths[:last] {
		w := int((int64(n)*int64(sum) + int64(size) - 1) / int64(size))
		if w > maxWeight || share(size, w, sum) != n {
			return false
		}
		weights[i] = byte(w)
		left -= w
	}
	if left < 0 || left > maxWeight {
		return false
	}
	weights[last] = byte(left)
	return true
}

// isShared reports whether the weights give the lengths.
func isShared(weights []byte, lengths []int, size int) bool {
	for i, n := range shares(weights, size) {
		if n != lengths[i] {
			return false
		}
	}
	return true
}
