//go:build !linux

package executor

// MemoryRoom returns the bytes of memory that gnaw and all that it starts can have, which this system does not tell: 0.
func MemoryRoom() uint64 { return 0 }
