package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Dir is the folder where gnaw keeps what it can make again, and its history: that of the user, or a [Notice] says
// which one stands in.
func Dir() (string, error) {
	p, err := cachePlace()
	return p.dir, err
}

// Notice is a sentence about the folder if it is not the usual one, and empty otherwise.
func Notice() string {
	p, err := cachePlace()
	if err != nil {
		return ""
	}
	return p.notice
}

// cacheFolder is where the cache is.
type cacheFolder struct{ dir, notice string }

func cachePlace() (cacheFolder, error) { return findCache(os.UserCacheDir, os.Getenv, os.TempDir()) }

// findCache looks for a folder that can be made: in the user's cache directory, in that of the go command, in the directory
// for temporary files. A user without a home is usual in a container.
func findCache(userCache func() (string, error), getenv func(string) string, temp string) (cacheFolder, error) {
	user, err := userCache()
	if err == nil {
		dir := filepath.Join(user, "gnaw")
		if err = disk.MakePrivateDir(dir); err == nil {
			return cacheFolder{dir: dir}, nil
		}
	}
	why := fmt.Sprintf("there is no cache directory of the user (%v)", err)
	if cache := getenv("GOCACHE"); filepath.IsAbs(cache) {
		dir := filepath.Join(cache, "gnaw")
		if err := disk.MakePrivateDir(dir); err == nil {
			return cacheFolder{dir, fmt.Sprintf("%s, so gnaw keeps its files in %s, beside the build cache; set HOME to have them elsewhere", why, dir)}, nil
		}
	}
	dir := temporaryFolder(temp)
	if err := ownFolder(dir); err != nil {
		return cacheFolder{}, fmt.Errorf("%s, and none can be made: %w; set HOME, or the variable of the system for it, to an absolute folder", why, err)
	}
	return cacheFolder{dir, fmt.Sprintf("%s, so gnaw keeps its files in %s, where they may not last; set HOME or GOCACHE to have them elsewhere", why, dir)}, nil
}

// ownFolder makes a folder where others may make some too: what they have put there, such as a program, must not be used.
func ownFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err == nil || !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !isPrivate(info) {
		return fmt.Errorf("%s belongs to somebody else, or others may write to it; remove it", dir)
	}
	return nil
}

// Digest is a short hash of parts; every part counts with its length, so that parts cannot run into each other.
func Digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:20]
}
