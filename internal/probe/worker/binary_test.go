package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
)

func TestADigestIsOfOneBinary(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) cover.Digest {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return fileDigest(path)
	}
	long := bytes.Repeat([]byte("x"), 2*binaryHead)
	first := file("first", long)
	if first == (cover.Digest{}) || file("copy", long) != first {
		t.Error("a copy has another digest, or there is none")
	}
	if file("longer", append(long, 'x')) == first {
		t.Error("a longer binary has the same digest")
	}
	if file("other", append([]byte("another build ID"), long[16:]...)) == first {
		t.Error("a binary with another build ID has the same digest")
	}
	if d := fileDigest(filepath.Join(dir, "missing")); d != (cover.Digest{}) {
		t.Errorf("a missing binary has the digest %x", d)
	}
	if d := binaryDigest(); d == (cover.Digest{}) || d != binaryDigest() {
		t.Errorf("the binary of this process has the digest %x", d)
	}
}
