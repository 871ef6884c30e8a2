package session

// mostMemLimit is the default limit for the heap of a worker in bytes where there is enough memory: what libFuzzer allows a
// process. leastMemLimit is that where there is hardly any: inputs that need less are not worth telling.
const (
	mostMemLimit  = 2 << 30
	leastMemLimit = 256 << 20
)

// DefaultMemLimit is the limit for the heap of each of so many workers where there are so many bytes of memory for all of them; 0:
// nobody knows. With more, the system would end processes before the limit does, and an input that needs too much would be lost.
func DefaultMemLimit(room uint64, workers int) uint64 {
	if room == 0 {
		return mostMemLimit
	}
	return min(mostMemLimit, max(MemoryShare(room, workers), min(leastMemLimit, room/4)))
}

// MemoryShare is how many bytes of memory each of so many workers can have where there are so many for all of them. A quarter is left
// for gnaw, for what is not on the heaps, and for what a target allocates until its heap is looked at.
func MemoryShare(room uint64, workers int) uint64 { return (room - room/4) / uint64(max(1, workers)) }
