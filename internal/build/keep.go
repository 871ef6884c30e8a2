package build

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// A kept binary is in the folder of the cache for linked ones, which has one folder for each way to build one package, named by a digest. The
// go command does not link a binary again if the file that it is asked to write has the build ID of what it would link. The build ID depends
// on all sources and flags, so the go command decides whether a kept binary is current.

// maxKept is how many binaries are kept of one package that is built in one way: of the folders of the module that were used last. A module
// may have several checkouts, and bisect builds it in temporary ones.
const maxKept = 4

// kept is the place of a test binary in the cache, from one build to the next. The name of the file is owner, "-" and the digest of its
// content.
type kept struct {
	dir   string
	owner string // a digest of the folder from which the package is built
}

// keptBinary returns the place of the test binary that the go command of tc builds of a package, as seen from dir, with flags. ok is false
// if there is no cache.
func keptBinary(tc gocommand.Toolchain, pkg, dir string, flags []string) (k kept, ok bool) {
	folder, err := cache.Dir()
	if err != nil {
		return kept{}, false
	}
	parts := []string{tc.Root, pkg}
	for _, flag := range flags {
		// Overlays and copies of go.mod have other names in each run. Their contents are part of the build ID.
		if name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name != "overlay" && name != "modfile" {
			parts = append(parts, flag)
		}
	}
	name := cache.Linked + "/" + cache.Digest(parts...)
	cache.Use(folder, name)
	return kept{filepath.Join(folder, filepath.FromSlash(name)), cache.Digest(dir)}, true
}

// offered is a kept binary that the go command may leave as it is.
type offered struct {
	path string      // in the cache; empty: there is none
	info fs.FileInfo // of the hard link to it
}

// offer makes file a hard link to the kept binary, if there is one and it is whole: on a full disk it may not be.
func (k kept) offer(file string) offered {
	list, _ := filepath.Glob(filepath.Join(k.dir, k.owner+"-*")) // the pattern is well-formed
	for _, path := range list {
		if sum, err := sumOf(path); err != nil || filepath.Base(path) != k.name(sum) || os.Link(path, file) != nil {
			continue
		}
		if info, err := os.Stat(file); err == nil {
			return offered{path, info}
		}
	}
	return offered{}
}

// keep keeps a binary in place of the one before. If it cannot be kept, the next build links it again. It does not read the binary that was
// offered if the go command has left it as it is, because offer has read it.
func (k kept) keep(file string, before offered) {
	path := before.path
	if !before.isStill(file) {
		sum, err := sumOf(file)
		if err != nil || os.MkdirAll(k.dir, disk.PrivateDir) != nil {
			return
		}
		path = filepath.Join(k.dir, k.name(sum))
		if !disk.Same(file, path) {
			_ = os.Remove(path) // it is not there, or it is not whole
			if os.Link(file, path) != nil {
				return
			}
		}
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	k.drop(path)
}

// isStill reports whether a file is the binary that was offered.
func (o offered) isStill(file string) bool {
	now, err := os.Stat(file)
	return o.path != "" && err == nil && os.SameFile(o.info, now) && now.Size() == o.info.Size() && now.ModTime().Equal(o.info.ModTime())
}

// drop removes the other binaries of the owner of path, and the oldest ones of other owners.
func (k kept) drop(path string) {
	list, _ := os.ReadDir(k.dir) // what cannot be read stays
	var others []fs.FileInfo
	for _, e := range list {
		info, err := e.Info()
		switch {
		case err != nil || e.Name() == filepath.Base(path):
		case strings.HasPrefix(e.Name(), k.owner+"-"):
			_ = os.Remove(filepath.Join(k.dir, e.Name()))
		default:
			others = append(others, info)
		}
	}
	slices.SortFunc(others, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range others[min(maxKept-1, len(others)):] {
		_ = os.Remove(filepath.Join(k.dir, info.Name()))
	}
}

func (k kept) name(sum string) string { return k.owner + "-" + sum }

// sumOf returns the digest of a file.
func sumOf(path string) (string, error) {
	f, err := disk.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
