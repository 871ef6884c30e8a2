package disk

import (
	"io/fs"
	"os"
)

// Same reports whether two names lead to one file or folder that exists.
func Same(a, b string) bool {
	info, err := os.Stat(a)
	return err == nil && IsAt(info, b)
}

// IsAt reports whether a name leads to a file or folder.
func IsAt(info fs.FileInfo, name string) bool {
	there, err := os.Stat(name)
	return err == nil && os.SameFile(info, there)
}
