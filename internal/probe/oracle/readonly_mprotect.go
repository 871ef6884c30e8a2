//go:build linux || darwin

package oracle

import "syscall"

// ReadOnly copies data to memory that cannot be written to: who does so faults. ok is false if the system does not have
// such memory. It stays for as long as the process lives.
func ReadOnly(data []byte) (b []byte, ok bool) {
	if len(data) == 0 {
		return []byte{}, true
	}
	b, err := syscall.Mmap(-1, 0, len(data), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, false
	}
	copy(b, data)
	if syscall.Mprotect(b, syscall.PROT_READ) != nil {
		return nil, false
	}
	return b[:len(data):len(data)], true
}
