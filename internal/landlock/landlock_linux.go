package landlock

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights that exist since the first version, and those that a later one has added.
const (
	firstRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	// fileRights are the rights that a rule about a file, and not about a folder, may have.
	fileRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	abiRefer    = 2 // renaming to another folder; denied everywhere before
	abiTruncate = 3
	abiTCP      = 4
	abiIoctl    = 5
	abiScope    = 6 // signals and sockets with an abstract name
)

// sameProcessErratum is the bit of the erratum that threads of one process may send signals to each other. Without it the runtime of a
// program could not preempt its threads.
const sameProcessErratum = 1 << (2 - 1)

// ABI returns the version of Landlock that the kernel has. The error is a reason why there is none.
func ABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch errno {
	case 0:
		return int(abi), nil
	case unix.ENOSYS:
		return 0, errors.New("the kernel has no Landlock")
	case unix.EOPNOTSUPP:
		return 0, errors.New("the kernel was started without Landlock")
	}
	return 0, fmt.Errorf("the kernel does not allow the use of Landlock: %w", errno)
}

func do(r Rules, f func() error) error {
	abi, err := ABI()
	if err != nil {
		return err
	}
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread ends with the goroutine
		if err := restrict(abi, r); err != nil {
			result <- fmt.Errorf("confine a process with Landlock: %w", err)
			return
		}
		result <- f()
	}()
	return <-result
}

// restrict confines the thread. It cannot be undone.
func restrict(abi int, r Rules) error {
	attr := attributes(abi, r.Network)
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("create the rules: %w", errno)
	}
	rules := os.NewFile(fd, "landlock rules")
	defer rules.Close()
	for _, path := range r.Writable {
		if err := allow(rules, path, attr.Handled_access_fs); err != nil {
			return err
		}
	}
	for _, path := range devices {
		if err := allow(rules, path, attr.Handled_access_fs); err != nil && !errors.Is(err, os.ErrNotExist) { // in a container
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules.Fd(), 0, 0); errno != 0 {
		return fmt.Errorf("apply the rules: %w", errno)
	}
	return nil
}

// attributes returns what a version of Landlock denies unless a rule allows it.
func attributes(abi int, network bool) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: firstRights}
	if abi >= abiRefer {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= abiTruncate {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= abiIoctl {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= abiTCP && !network {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= abiScope {
		if !network {
			attr.Scoped |= unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		}
		errata, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_ERRATA)
		if errno == 0 && errata&sameProcessErratum != 0 {
			attr.Scoped |= unix.LANDLOCK_SCOPE_SIGNAL
		}
	}
	return attr
}

// allow adds a rule: all rights on a file, or on a folder and all below it.
func allow(rules *os.File, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("allow %s: %w", path, err)
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return fmt.Errorf("allow %s: %w", path, err)
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules.Fd(), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allow %s: %w", path, errno)
	}
	return nil
}
