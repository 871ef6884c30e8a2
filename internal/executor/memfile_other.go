//go:build !linux

package executor

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// memoryFile returns a file of that size without a name: a temporary file that is removed as soon as it is open, where the
// system allows that.
func memoryFile(name string, size int64) (*os.File, error) {
	f, err := os.CreateTemp("", name+"-*")
	if err != nil {
		return nil, fmt.Errorf("create shared memory: %w", err)
	}
	if err := f.Truncate(size); err != nil {
		return nil, errors.Join(fmt.Errorf("size shared memory: %w", err), f.Close())
	}
	if runtime.GOOS == "windows" {
		return f, nil
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("create shared memory: %w", err), f.Close())
	}
	return f, nil
}
