package host

import (
	"os"
	"path/filepath"
	"strings"
)

// Placing says where a test process has its files.
type Placing struct {
	Folder string // in which it was started; empty: not known
	Write  string // directory for failing inputs, as it is reached from Folder
	Shown  string // the same directory, as it is shown to the user, from Folder

	now string // its working directory when F.Fuzz was called
}

// Place says where the failing inputs of a target are written. folder is where the process was started, now its working
// directory when F.Fuzz is called, empty if that is gone, and corpusDir the directory of the target's corpus below it.
//
// Plain go test reads the corpus below the working directory that the process has when F.Fuzz is called. If that is a folder of
// the module, failing inputs go there. Any other, such as a temporary one, is nowhere to keep them: then they go to the folder of
// the package.
func Place(folder, now, corpusDir string) Placing {
	p := Placing{Folder: folder, Write: corpusDir, Shown: corpusDir, now: now}
	if folder == "" || folder == now || filepath.IsAbs(corpusDir) {
		return p
	}
	if now == "" || !within(module(folder), now) {
		return p
	}
	p.Write = filepath.Join(now, corpusDir)
	if rel, err := filepath.Rel(folder, p.Write); err == nil {
		p.Shown = rel
	} else {
		p.Shown = p.Write
	}
	return p
}

// Absolute returns a path of the test process as an absolute one, if its folder is known.
func (p Placing) Absolute(path string) string {
	if path == "" || filepath.IsAbs(path) || p.now == "" || p.now == p.Folder {
		return path
	}
	return filepath.Join(p.now, path)
}

// Seed returns the name of a seed for those in Folder: that of a file is its path, one of F.Add has no folder.
func (p Placing) Seed(name string) string {
	if filepath.Base(name) == name {
		return name
	}
	return p.Absolute(name)
}

// module returns the nearest folder with a go.mod, at or above one; empty if there is none.
func module(folder string) string {
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
}

// within reports whether path is root or lies below it; nothing lies below an empty root.
func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return root != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
