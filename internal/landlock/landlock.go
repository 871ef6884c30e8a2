// Package landlock starts processes that cannot act outside of folders that gnaw gives them. It uses Landlock, a part of the Linux kernel;
// other systems have nothing like it, and [ABI] says so.
//
// A confined process reads and executes what gnaw could. It creates, writes, truncates, renames and removes files in the writable folders
// only, and writes to descriptors that it has inherited. It sends signals only to processes that are confined with it, and unless the rules
// allow it, it neither listens nor connects on TCP. Its children are confined as it is. Landlock does not know modes and times of files, UDP,
// multipath TCP, on which package net listens where it can, and sockets that have a path.
package landlock

import "os"

// Rules says what the processes of a confinement may do.
type Rules struct {
	Writable []string // folders below which they may write, and files that they may write to; each must exist
	Network  bool     // they may listen and connect on TCP
}

// devices are files that each process may write to.
var devices = []string{os.DevNull, "/dev/zero", "/dev/full"}

// Do calls f on a confined thread and returns its error. The processes that f starts in its own goroutine, for example by [os/exec.Cmd.Start],
// are confined; other goroutines and processes of gnaw are not. f opens files under the same rules. It must not call [runtime.Goexit]. Do
// returns an error without calling f if the kernel does not have Landlock or a file of the rules cannot be opened.
//
// The thread ends with f. The kernel and the runtime support this: a process inherits the confinement of the thread that starts it, and the
// runtime does not start threads from one that a goroutine has locked.
func Do(r Rules, f func() error) error { return do(r, f) }
