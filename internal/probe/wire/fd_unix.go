//go:build unix

package wire

import (
	"fmt"
	"io"
	"syscall"
)

// FD reads and writes a pipe by plain system calls. Unlike os.File it leaves no trace in the edge counters of a test
// binary whose packages os and internal/poll are instrumented.
type FD int

// Read implements io.Reader.
func (fd FD) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(fd), p)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write implements io.Writer.
func (fd FD) Write(p []byte) (int, error) {
	for written := 0; written < len(p); {
		n, err := syscall.Write(int(fd), p[written:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return written, err
		}
		written += n
	}
	return len(p), nil
}

// Adopt makes system calls on the descriptors wait, which may have been set to return at once, and keeps them from
// processes that the target starts.
func Adopt(fds ...int) {
	for _, fd := range fds {
		_ = syscall.SetNonblock(fd, false) // a bad descriptor shows in the first Read or Write
		syscall.CloseOnExec(fd)
	}
}

// Mute has what is written to a descriptor go nowhere.
func Mute(fd int) error {
	nowhere, err := syscall.Open("/dev/null", syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
	if err == nil {
		err = duplicate(nowhere, fd)
		_ = syscall.Close(nowhere)
	}
	if err != nil {
		return fmt.Errorf("let the output of the fuzz target go nowhere: %w", err)
	}
	return nil
}
