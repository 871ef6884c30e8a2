package executor

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile returns a file that lives in memory and has no name in any directory.
func memoryFile(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create shared memory: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
