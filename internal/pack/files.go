package pack

import (
	"debug/elf"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/bundle"
)

// maxShown is how many files that are left out are named.
const maxShown = 5

// collected are the files of the folder of a package that a test binary may read.
type collected struct {
	files   []bundle.File
	leftOut []string
	unnamed int // further files that are left out
}

// collect returns the files of the folder of a package that its tests may read: those of the folder itself without the sources and without hidden ones,
// which may be secrets, and all of testdata but the seeds of other targets. Links and files of other types are left out: what they lead to may be
// anything.
func collect(dir, target string) (c collected, err error) {
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil || rel == "." {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch inTestdata := rel == "testdata" || strings.HasPrefix(rel, "testdata/"); {
		case d.IsDir() && (!inTestdata || ofOther(rel, target)):
			return fs.SkipDir
		case d.IsDir():
		case !inTestdata && (strings.HasPrefix(rel, ".") || path.Ext(rel) == ".go"):
		case !d.Type().IsRegular():
			c.leaveOut(fmt.Sprintf("%s is no regular file", name))
		case strings.ContainsAny(rel, "\\:\x00"):
			c.leaveOut(fmt.Sprintf("%s has a name that other systems do not know", name))
		default:
			c.files = append(c.files, bundle.File{Name: bundle.Folder + "/" + rel, Path: name})
		}
		return nil
	})
	if c.unnamed > 0 {
		c.leftOut = append(c.leftOut, fmt.Sprintf("%d more files", c.unnamed))
	}
	return c, err
}

// ofOther reports whether a folder has the seeds of another target.
func ofOther(rel, target string) bool {
	return path.Dir(rel) == "testdata/fuzz" && path.Base(rel) != target
}

func (c *collected) leaveOut(why string) {
	if len(c.leftOut) < maxShown {
		c.leftOut = append(c.leftOut, why)
		return
	}
	c.unnamed++
}

// needLibc returns the names of the programs that need the C library of the machine on which they run.
func needLibc(programs map[string]string) (names []string) {
	for name, file := range programs {
		if isDynamic(file) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isDynamic reports whether a program needs a dynamic linker. It is false for one that cannot be read, which does not start either.
func isDynamic(file string) bool {
	f, err := elf.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}
