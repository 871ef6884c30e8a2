package testkit

import "runtime"

// Heap returns the size of the heap in bytes after a garbage collection.
func Heap() int64 {
	runtime.GC()
	runtime.GC() // frees what finalizers have released
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
