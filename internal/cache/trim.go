package cache

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Bounds of the cache. What was not used for trimAge is removed, and what was not used for the longest time while there is
// more than trimSize. A process that could not write down what it uses has trimGrace.
const (
	trimAge   = 14 * 24 * time.Hour
	trimSize  = 4 << 30
	trimGrace = time.Hour
	// trimPause is the time between two looks at all that.
	trimPause = 24 * time.Hour
	trimMark  = "trimmed"
)

// Trim keeps the cache within its bounds. It looks once a day, and touches nothing that a gnaw uses.
func Trim() {
	cache, err := Dir()
	if err != nil {
		return
	}
	mark := filepath.Join(cache, usersDir, trimMark)
	now := time.Now()
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < trimPause {
		return
	}
	trim(cache, now, trimSize)
	_ = disk.Write(mark, nil) // without it, this is done again
}

// A part is what can be removed of the cache by itself.
type part struct {
	name string // as [Use] has it
	path string
	used time.Time
	size int64
}

// trim removes what is old, and more until no more than limit bytes are left. What cannot be removed stays.
func trim(cache string, now time.Time, limit int64) {
	leave, err := enter(cache)
	if err != nil {
		return
	}
	defer leave()
	busy, err := inUse(cache, now)
	if err != nil {
		return
	}
	parts := listParts(cache)
	slices.SortFunc(parts, func(a, b part) int { return a.used.Compare(b.used) })
	var total int64
	for _, p := range parts {
		total += p.size
	}
	for _, p := range parts {
		age := now.Sub(p.used)
		if busy[p.name] || age < trimGrace || strings.HasPrefix(p.name, sitesDir+"/") {
			continue
		}
		if age > trimAge || total > limit || isLeftOver(filepath.Base(p.path)) {
			_ = os.RemoveAll(p.path)
			total -= p.size
			continue
		}
		dropLeftOvers(p.path, now)
	}
	for _, folder := range []string{Roots, Std} {
		dropLeftOvers(filepath.Join(cache, folder), now)
	}
}

// isLeftOver reports whether a name is that of a folder in which something is made before it is moved to its place.
func isLeftOver(name string) bool {
	return strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(name, disk.TempPrefix)
}

// dropLeftOvers removes what killed processes have left in a folder.
func dropLeftOvers(dir string, now time.Time) {
	list, _ := os.ReadDir(dir) // a file has none
	for _, e := range list {
		if info, err := e.Info(); err == nil && isLeftOver(e.Name()) && now.Sub(info.ModTime()) > trimGrace {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// listParts lists what can be removed by itself. A folder that is a link is not gnaw's own.
func listParts(cache string) (parts []part) {
	for _, folder := range []string{Overlays, Merged, modulesDir, Linked, oldBinDir, sitesDir} {
		dir := filepath.Join(cache, folder)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		list, _ := os.ReadDir(dir) // what cannot be read cannot be removed
		for _, e := range list {
			info, err := e.Info()
			if err != nil {
				continue // gone meanwhile
			}
			path := filepath.Join(dir, e.Name())
			parts = append(parts, part{folder + "/" + e.Name(), path, info.ModTime(), sizeOf(path)})
		}
	}
	return parts
}

// sizeOf returns the bytes of all files below path. What cannot be read counts nothing.
func sizeOf(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // the rest counts
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

// Cleaned is a file or folder of the cache, and what came of it.
type Cleaned struct {
	Path  string
	Bytes int64 // that are removed
	Kept  int64 // bytes of the rest, which a gnaw that runs uses
	Whole bool  // nothing of it is kept
}

// Clean removes all of the cache but what a gnaw uses that runs, and the files whose names begin with one of keep. dry only
// says what it would do. The error is what could not be removed.
func Clean(cache string, dry bool, keep ...string) (cleaned []Cleaned, err error) {
	entries, err := os.ReadDir(cache)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read gnaw's cache folder: %w", err)
	}
	leave, err := enter(cache)
	if err != nil {
		return nil, fmt.Errorf("clean gnaw's cache folder: %w", err)
	}
	defer leave()
	busy, err := inUse(cache, time.Now())
	if err != nil {
		return nil, fmt.Errorf("find out which parts of gnaw's cache are in use: %w", err)
	}
	parts := listParts(cache)
	var errs []error
	remove := func(path string) {
		if dry {
			return
		}
		if err := os.RemoveAll(path); err != nil {
			errs = append(errs, fmt.Errorf("remove a part of the cache: %w", err))
		}
	}
	for _, e := range entries {
		isKept := func(prefix string) bool { return strings.HasPrefix(e.Name(), prefix) }
		if e.Name() == usersDir || slices.ContainsFunc(keep, isKept) {
			continue
		}
		c := Cleaned{Path: filepath.Join(cache, e.Name()), Whole: !busy[e.Name()]}
		for _, p := range parts {
			switch {
			case filepath.Dir(p.path) != c.Path:
			case busy[p.name]:
				c.Kept, c.Whole = c.Kept+p.size, false
			default:
				c.Bytes += p.size
				remove(p.path)
			}
		}
		if c.Whole {
			c.Bytes = cmp.Or(c.Bytes, sizeOf(c.Path))
			remove(c.Path)
		}
		cleaned = append(cleaned, c)
	}
	return cleaned, errors.Join(errs...)
}

// Busy reports whether a gnaw that builds or fuzzes is running, or may be.
func Busy(cache string) bool {
	leave, err := enter(cache)
	if err != nil {
		return false
	}
	defer leave()
	busy, err := inUse(cache, time.Now())
	return err != nil || len(busy) > 0
}
