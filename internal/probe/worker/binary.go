package worker

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

// binaryHead is how many bytes at the beginning of a binary contain its build ID, which depends on all that the binary is
// made of. The go command (cmd/internal/buildid) reads as many.
const binaryHead = 32 << 10

// ownBinary is the file of this process on Linux, also when another file has taken its path.
const ownBinary = "/proc/self/exe"

// binaryDigest returns the digest of the binary of this process: of its head and its size. It is zero if the file cannot be
// read.
func binaryDigest() cover.Digest {
	if d := fileDigest(ownBinary); d != (cover.Digest{}) {
		return d
	}
	path, err := os.Executable()
	if err != nil {
		return cover.Digest{}
	}
	return fileDigest(path)
}

// fileDigest returns the digest of a binary; zero: it cannot be read.
func fileDigest(path string) (d cover.Digest) {
	f, err := os.Open(path)
	if err != nil {
		return d
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return d
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, binaryHead)); err != nil {
		return d
	}
	_ = binary.Write(h, binary.LittleEndian, info.Size()) // a hash takes all
	copy(d[:], h.Sum(nil))
	return d
}
