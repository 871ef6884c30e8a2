package gocommand

import (
	"path/filepath"
	"strings"
)

// Absolute is path as seen from dir.
func Absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Below reports whether path is dir or lies in it, by name alone, as the go command sees it.
func Below(path, dir string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
