//go:build !unix

package shm

import (
	"errors"
	"os"
)

// Map is not available on this system.
func Map(*os.File, int) ([]byte, error) {
	return nil, errors.New("gnaw has no shared memory on this system yet: fuzz on Linux, macOS or FreeBSD")
}

// Unmap is not available on this system.
func Unmap([]byte) error { return nil }
