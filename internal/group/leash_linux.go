package group

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Leash has the system end the process group that p leads when the other end of a pipe is closed, which happens when gnaw
// ends, however it does. lifeline is the end that the process has inherited.
func Leash(lifeline *os.File, p *os.Process) error {
	return control(lifeline, func(fd uintptr) error {
		if _, err := unix.FcntlInt(fd, unix.F_SETOWN, -p.Pid); err != nil {
			return err
		}
		if _, err := unix.FcntlInt(fd, unix.F_SETSIG, int(unix.SIGKILL)); err != nil {
			return err
		}
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err == nil {
			_, err = unix.FcntlInt(fd, unix.F_SETFL, flags|unix.O_ASYNC)
		}
		return err
	})
}

// Unleash takes back what Leash did: the process watches the pipe itself.
func Unleash(lifeline *os.File) error {
	return control(lifeline, func(fd uintptr) error {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err == nil {
			_, err = unix.FcntlInt(fd, unix.F_SETFL, flags&^unix.O_ASYNC)
		}
		return err
	})
}

func control(f *os.File, do func(fd uintptr) error) error {
	raw, err := f.SyscallConn()
	if err == nil {
		var doErr error
		if err = raw.Control(func(fd uintptr) { doErr = do(fd) }); err == nil {
			err = doErr
		}
	}
	if err != nil {
		return fmt.Errorf("have a process end with gnaw: %w", err)
	}
	return nil
}

// awaitEnd returns when a process has ended, and reports true: it is not waited for then, so that its number belongs to
// nobody else.
func awaitEnd(p *os.Process) bool {
	for {
		err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}
