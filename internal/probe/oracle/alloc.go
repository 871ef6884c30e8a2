package oracle

import "fmt"

// alloc reports executions that allocate out of proportion to their input. A thousand requests of one connection that
// allocate 128 MiB each fill the memory of a large machine, and no parser of a small input needs it. A length of three
// bytes that is believed is found if elements have eight.
var alloc = Oracle{
	Name:    "alloc",
	Meaning: "one execution allocates far more memory than its input justifies, at once or in total",
	Limit:   Limit{Unit: Bytes, Default: 128 << 20},
	measure: measureAlloc,
}

// perByte is how many bytes an execution may allocate per byte of its input. Compressed data grows by about as much.
const perByte = 1024

// excessive reports whether an execution allocated out of proportion to the size in bytes of its input.
func excessive(allocated, limit uint64, size int) bool {
	return allocated > limit && allocated > perByte*uint64(size)
}

func measureAlloc(m *Measurement) {
	allocated := func() uint64 {
		before := Allocated()
		m.execute(m.Args)
		return Allocated() - before
	}
	size, limit := m.Args.Size(), m.Limits.Of(Alloc)
	n := allocated()
	if m.run.Over() || !excessive(n, limit, size) {
		return
	}
	places := NewAllocations()
	if again := allocated(); !m.run.Over() && excessive(again, limit, size) {
		top, _ := places.Top()
		m.report(Report{Oracle: Alloc, Detail: top, Message: fmt.Sprintf(
			"one execution allocates %s for %s of input", Size(min(n, again)), Size(uint64(size)))})
	}
}
