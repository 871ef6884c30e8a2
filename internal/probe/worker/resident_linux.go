package worker

import "syscall"

// residentBytes returns the memory of this process that is in use, 0 if the system does not say. It makes system calls
// itself, because package os may be instrumented.
func residentBytes() uint64 {
	fd, err := syscall.Open("/proc/self/statm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer syscall.Close(fd)
	var buf [128]byte
	n, err := syscall.Read(fd, buf[:])
	if err != nil {
		return 0
	}
	// The second field is the number of resident pages.
	fields, pages := 0, uint64(0)
	for _, c := range buf[:n] {
		switch {
		case c == ' ':
			fields++
		case fields == 1:
			pages = pages*10 + uint64(c-'0')
		}
	}
	return pages * uint64(syscall.Getpagesize())
}
