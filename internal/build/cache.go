package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// CacheDir is the folder where gnaw keeps what it can make again: overlays, links to toolchains and test binaries.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the user's cache directory: %w; set HOME, or the variable of the system for it, to an absolute folder", err)
	}
	return filepath.Join(dir, "gnaw"), nil
}

// digest is a short hash of parts; every part counts with its length, so that parts cannot run into each other.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// writeAtomically makes sure that the file path holds data: readers see all of it or the file that was there before.
func writeAtomically(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("make the cache folder of %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name()) // no longer there when all went well
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if now, rerr := os.ReadFile(path); err != nil && rerr == nil && bytes.Equal(now, data) {
		return nil // another process was faster and holds the file open, which stops a rename on Windows only
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
