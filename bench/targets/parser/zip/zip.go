// Package zip reads an archive with archive/zip.
package zip

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
)

// Limits that keep reading fast.
const (
	maxFiles = 8
	maxBytes = 1 << 16
)

// Target opens b and reads the first files.
func Target(b []byte) {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	for _, f := range r.File[:min(len(r.File), maxFiles)] {
		_, _ = f.FileInfo().Mode(), f.Modified
		content, err := f.Open()
		if err != nil {
			continue
		}
		_, _ = io.CopyN(io.Discard, content, maxBytes)
		_ = content.Close()
	}
	_, _ = fs.ReadDir(r, ".")
	// fs.ReadFile allocates as much as the archive says.
	if file, err := r.Open("a/b"); err == nil {
		_, _ = io.CopyN(io.Discard, file, maxBytes)
		_ = file.Close()
	}
}
