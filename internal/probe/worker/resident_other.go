//go:build !linux

package worker

// residentBytes returns 0: this system does not say cheaply how much memory is in use.
func residentBytes() uint64 { return 0 }
