//go:build unix

package cache

import (
	"io/fs"
	"os"
	"syscall"
)

// isPrivate reports whether a file belongs to the user of this process, and to nobody else.
func isPrivate(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid() && info.Mode().Perm()&0o077 == 0
}
