package compare

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// escaped keeps what tests allocate on the heap.
var escaped []byte

// allocate returns the address of n bytes on the heap, which stay until the next call.
func allocate(t *testing.T, n int) uint64 {
	if unsafe.Sizeof(uintptr(0)) < 8 {
		t.Skip("addresses of 32 bits look like other numbers")
	}
	escaped = make([]byte, n)
	return uint64(uintptr(unsafe.Pointer(&escaped[0])))
}

func TestComparisonsOfAddressesAreNotRecorded(t *testing.T) {
	var local byte
	heap, stack := allocate(t, 1<<20), uint64(uintptr(unsafe.Pointer(&local)))
	l := new(Log)
	for _, tt := range []struct {
		name string
		f    func()
		want bool
	}{
		{"an address as the second operand", func() { Cmp8(5, heap, 1) }, false},
		{"an address as the first operand", func() { Cmp8(heap, 5, 1) }, false},
		{"the negative of an address, as unsafe.String compares it", func() { Cmp8(5, -heap, 1) }, false},
		{"an address and a constant", func() { ConstCmp8(0, heap, 1) }, false},
		{"an address of a large object, near its end", func() { Cmp8(5, heap+1<<20-1, 1) }, false},
		{"an address of a stack", func() { Cmp8(5, stack, 1) }, false},
		{"a key of a map of pointers", func() { hook.IntKey(heap, heap+64, 8, nil) }, false},
		{"the lower half of an address", func() { Cmp4(5, uint32(heap), 1) }, true},
		{"zero", func() { Cmp8(5, 0, 1) }, true},
		{"minus one", func() { Cmp8(5, 1<<64-1, 1) }, true},
		{"the smallest number", func() { Cmp8(5, 1<<63, 1) }, true},
		{"a number far from each address", func() { Cmp8(5, heap^1<<62, 1) }, true},
		{"an integer key", func() { hook.IntKey(7, 8, 8, nil) }, true},
	} {
		if got := record(l, tt.f); (len(got) == 1) != tt.want {
			t.Errorf("%s: %d records, want one: %v", tt.name, len(got), tt.want)
		}
	}
}

func TestOtherComparisonsKeepTheirOrderBetweenAddresses(t *testing.T) {
	heap, l := allocate(t, 64), new(Log)
	got := record(l, func() {
		for i := range uint(4) {
			Cmp8(1, heap+uint64(i), 100)
			Cmp8(1, 2, i)
			StrCmp("a", "b", 10+i)
			Cmp8(1, -heap, 100)
		}
	})
	var sites []uint
	for _, r := range got {
		sites = append(sites, r.Site)
	}
	if want := []uint{0, 10, 1, 11, 2, 12, 3, 13}; !slices.Equal(sites, want) {
		t.Errorf("records of %v, want %v", sites, want)
	}
	record(l, func() {
		for i := range uint(maxRecords) {
			Cmp8(1, heap, i)
		}
	})
	if !l.Full() || len(l.Records()) != 0 {
		t.Errorf("a log with addresses only has %d records and is full: %v", len(l.Records()), l.Full())
	}
}
