//go:build !unix

package wire

import (
	"errors"
)

// FD reads and writes a pipe by plain system calls. It is not available on this system.
type FD int

var errNoPipes = errors.New("gnaw cannot hand pipes to a worker on this system yet: fuzz on Linux, macOS or FreeBSD")

// Read implements io.Reader.
func (fd FD) Read([]byte) (int, error) { return 0, errNoPipes }

// Write implements io.Writer.
func (fd FD) Write([]byte) (int, error) { return 0, errNoPipes }

// Adopt does nothing on this system.
func Adopt(...int) {}

// Mute is not available on this system.
func Mute(int) error { return errNoPipes }
