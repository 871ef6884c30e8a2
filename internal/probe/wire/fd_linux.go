package wire

import "syscall"

// duplicate makes to another name of from.
func duplicate(from, to int) error { return syscall.Dup3(from, to, 0) }
