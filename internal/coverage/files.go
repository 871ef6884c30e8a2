package coverage

import (
	"crypto/sha256"
	"time"
)

// Files has the SHA-256 of the content of source files, by the File of a [Block]. With it a file is known to be the one of which a binary was
// built, whatever its time of change is: git checkout and a fresh clone renew that.
type Files map[string][sha256.Size]byte

// ReadSource returns the content of a source file, and when it was changed. pkg and file are the Package and the File of a [Block].
type ReadSource func(pkg, file string) (text []byte, changed time.Time, err error)

// Add adds the files of blocks that f does not have. It leaves out files that cannot be read, and those that were not older than built, when
// the build of the binary began: their content may not be what the compiler has read.
func (f Files) Add(blocks Sources, built time.Time, read ReadSource) {
	tried := map[string]bool{}
	for _, b := range blocks {
		if _, ok := f[b.File]; ok || tried[b.File] {
			continue
		}
		tried[b.File] = true
		if text, changed, err := read(b.Package, b.File); err == nil && changed.Before(built) {
			f[b.File] = sha256.Sum256(text)
		}
	}
}

// of returns the part of f that is about the files of blocks.
func (f Files) of(blocks Sources) Files {
	part := Files{}
	for _, b := range blocks {
		if sum, ok := f[b.File]; ok {
			part[b.File] = sum
		}
	}
	return part
}
