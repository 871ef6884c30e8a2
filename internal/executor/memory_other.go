//go:build !linux

package executor

// MemoryRoom returns 0: this system does not report how much memory gnaw and its processes can have.
func MemoryRoom() uint64 { return 0 }
