package compare

import "unsafe"

// heapSpan is the largest distance between two addresses of the heap, in bytes: the heap grows from one address, and no worker has this
// much memory. One 64-bit number in 134 million is that close to an address of the heap or to the negative of one.
const heapSpan = 1 << 35

// onHeap is an address of the heap. A function sets it, because the first values of package variables are not on the heap.
var onHeap *byte

func init() { onHeap = new(byte) }

// isAddress reports whether a 64-bit operand is an address of the heap, where the stacks of goroutines are too, or the negative of one:
// the compiler makes unsafe.String and unsafe.Slice compare a length with that. No address comes from the input, and they differ from
// process to process. On a 32-bit system an address looks like any other number, so none is found.
//
//go:norace
func isAddress(v uint64) bool {
	first := uint64(uintptr(unsafe.Pointer(onHeap))) - heapSpan
	return unsafe.Sizeof(onHeap) == 8 && (v-first < 2*heapSpan || -v-first < 2*heapSpan)
}

// dropAddresses removes comparisons of addresses from a recording and returns how many records are left, at the beginning of all.
//
//go:norace
func dropAddresses(all []raw) (n int) {
	for i := range all {
		if r := &all[i]; r.width == 8 && (isAddress(r.a) || isAddress(r.b)) {
			continue
		}
		if n < i {
			all[n] = all[i]
		}
		n++
	}
	return n
}
