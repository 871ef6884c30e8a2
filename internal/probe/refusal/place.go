package refusal

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// places are the folders that decide where a file is. They are set before the code of the target runs, which may change the working directory
// and the environment, and do not change.
type places struct {
	temporary []string // folders for temporary files, by each of their names
	own       []string // folder of the package
	testdata  []string // of it
}

// here are the places of this process.
var here = findPlaces()

func findPlaces() (p places) {
	p.temporary = names(os.TempDir())
	if wd, err := os.Getwd(); err == nil {
		p.own, p.testdata = names(wd), names(filepath.Join(wd, "testdata"))
	}
	return p
}

// names returns the absolute name of a folder, and the one without symbolic links. A folder that contains all others has none.
func names(dir string) (list []string) {
	dir, err := filepath.Abs(dir)
	if err != nil || filepath.Dir(dir) == dir {
		return nil
	}
	list = append(list, dir)
	if found, err := filepath.EvalSymlinks(dir); err == nil && found != dir {
		list = append(list, found)
	}
	return list
}

// has reports whether a clean absolute path is in a place where inputs may write. The innermost folder decides: a package may be in a temporary
// folder, and that one in the package. The folders themselves are in no such place.
func (p *places) has(path string) bool {
	own := innermost(p.own, path)
	return innermost(p.testdata, path) > 0 || innermost(p.temporary, path) > own
}

// innermost returns the length of the longest folder that a path is in; 0: it is in none.
func innermost(folders []string, path string) (n int) {
	for _, dir := range folders {
		if len(dir) > n && len(path) > len(dir) && within(path, dir) {
			n = len(dir)
		}
	}
	return n
}

// within reports whether a clean path is that of a folder, or in it.
func within(path, dir string) bool {
	if len(path) < len(dir) || path[:len(dir)] != dir {
		return false
	}
	return len(path) == len(dir) || path[len(dir)] == os.PathSeparator || dir[len(dir)-1] == os.PathSeparator
}

func folderOf(path string) string { return filepath.Dir(path) }

// harmless reports whether a call changes a file in a temporary folder, as far as that can be known without a look at the disk. It is what
// most calls are asked for, so it does not allocate.
func harmless(kind uint8, name string) bool {
	switch kind {
	case hook.Open, hook.Place, hook.Make, hook.MakeAll, hook.Change, hook.Remove:
		return !links.Load() && isPlain(name) && innermost(here.testdata, name) == 0 && here.has(name)
	}
	return false
}

// isPlain reports whether a path is absolute and has no element that leads to another folder.
func isPlain(path string) bool {
	if path == "" || path[0] != '/' || runtime.GOOS == "windows" {
		return false
	}
	for i := 1; i < len(path); i++ {
		if path[i-1] == '/' && (path[i] == '.' || path[i] == '/') {
			return false
		}
	}
	return true
}

// resolve returns what a call does. isOutside is false if it does nothing outside of the process, or nothing at all: then it fails, or does what
// was done before.
func resolve(kind uint8, base, name string) (a Action, isOutside bool) {
	switch kind {
	case hook.Connect:
		return Action{Connect, name}, !isLoopback(name)
	case hook.ConnectTo, hook.Bind:
		if name == "" || kind == hook.Bind && name[0] == '@' {
			return a, false
		}
		if name[0] == '@' { // it has no file
			return Action{Connect, name}, true
		}
	}
	path, err := filepath.Abs(filepath.Join(base, name))
	if err != nil || name == "" {
		return a, false
	}
	if filepath.IsAbs(name) && kind == hook.Start {
		path = filepath.Clean(name)
	}
	path = withoutLinks(path, kind)
	switch kind {
	case hook.Start:
		info, err := os.Stat(path)
		return Action{Start, path}, err == nil && !info.IsDir()
	case hook.ConnectTo:
		return Action{Connect, path}, exists(path) && !here.has(path)
	}
	if here.has(path) {
		if kind == hook.Link {
			links.Store(true)
		}
		return a, false
	}
	return fileAction(kind, path)
}

// fileAction is resolve for a file that is outside.
func fileAction(kind uint8, path string) (a Action, isOutside bool) {
	a = Action{Write, path}
	switch kind {
	case hook.Remove:
		a.Kind = Remove
		return a, exists(path)
	case hook.Change:
		return a, exists(path) && !isDevice(path)
	case hook.Make, hook.Link, hook.Bind:
		return a, exists(filepath.Dir(path)) && !exists(path) && !slices.Contains(here.testdata, path)
	case hook.MakeAll:
		return a, !exists(path) && !slices.Contains(here.testdata, path)
	}
	return a, exists(filepath.Dir(path)) && !isDevice(path)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isDevice reports whether a path is that of a device that keeps nothing, or of a stream that the process has.
func isDevice(path string) bool {
	if path == os.DevNull || slices.Contains([]string{"/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/ptmx"}, path) {
		return true
	}
	for _, dir := range []string{"/dev/fd", "/dev/pts", "/proc/self/fd"} {
		if within(path, dir) {
			return true
		}
	}
	return path == "/dev/stdin" || path == "/dev/stdout" || path == "/dev/stderr"
}

// maxLinks is how many symbolic links a name may lead over.
const maxLinks = 40

// withoutLinks returns a path without symbolic links. What does not exist stays as it is. The last element is left alone if the call acts on the link.
func withoutLinks(path string, kind uint8) string {
	for range maxLinks {
		dir := realFolder(filepath.Dir(path))
		path = filepath.Join(dir, filepath.Base(path))
		switch kind {
		case hook.Remove, hook.Place, hook.Make, hook.MakeAll, hook.Link, hook.Bind:
			return path
		}
		target, err := os.Readlink(path)
		if err != nil || strings.HasPrefix(dir, "/dev") || strings.HasPrefix(dir, "/proc/") {
			return path
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		path = filepath.Clean(target)
	}
	return path
}

// realFolder returns a folder without symbolic links, of which the last elements need not exist.
func realFolder(dir string) string {
	for at, rest := dir, ""; ; {
		if found, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(found, rest)
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at, rest = up, filepath.Join(filepath.Base(at), rest)
	}
}

// isLoopback reports whether an address, with or without a port, is of this machine only.
func isLoopback(address string) bool {
	host := address
	if i := strings.LastIndexByte(address, ':'); i >= 0 {
		if ap, err := netip.ParseAddrPort(address); err == nil {
			host = ap.Addr().String()
		} else if i == 0 {
			return true // no host
		}
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified())
}
