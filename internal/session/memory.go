package session

// mostMemLimit is the default limit for the heap of a worker in bytes if there is enough memory: the limit of libFuzzer for a process.
// leastMemLimit is the default on small machines: a report about an input that needs less is of no use.
const (
	mostMemLimit  = 2 << 30
	leastMemLimit = 256 << 20
)

// DefaultMemLimit returns the limit for the heap of each worker in bytes. room is the memory for all workers in bytes; 0: not known. With
// a higher limit the system would end processes first, and an input that needs too much memory would be lost.
func DefaultMemLimit(room uint64, workers int) uint64 {
	if room == 0 {
		return mostMemLimit
	}
	return min(mostMemLimit, max(MemoryShare(room, workers), min(leastMemLimit, room/4)))
}

// MemoryShare returns how many of room bytes of memory each worker can have. A quarter is left for gnaw, for memory outside of heaps, and
// for what a target allocates between two measurements of its heap.
func MemoryShare(room uint64, workers int) uint64 { return (room - room/4) / uint64(max(1, workers)) }
