//go:build unix

package shm

import (
	"fmt"
	"os"
	"syscall"
)

// Map maps the first size bytes of file, shared and writable.
func Map(file *os.File, size int) ([]byte, error) {
	mem, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of shared memory: %w", size, err)
	}
	return mem, nil
}

// Unmap undoes Map.
func Unmap(mem []byte) error { return syscall.Munmap(mem) }
