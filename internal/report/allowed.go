package report

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// mayShow reports whether lines of a file may be shown. The names of files come from stacks and from //line directives, which may name any
// file of the machine. Lines are shown of files of the module, and of Go files of the modules that its go.mod or go.work names by their folder,
// of the module cache and of GOROOT. Where a symbolic link leads counts, and not its name.
func (o Options) mayShow(file string) bool {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return false
	}
	if below(o.Root, real) {
		return true
	}
	if !strings.HasSuffix(real, ".go") {
		return false
	}
	for _, root := range localModules(o.Root) {
		if below(root, real) {
			return true
		}
	}
	return inModuleCache(real) || inGOROOT(real)
}

// below reports whether a file without symbolic links in its path is in a folder or below it.
func below(folder, file string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, file)
	return err == nil && filepath.IsLocal(rel)
}

// localModules returns the folders that the go.mod in root, and the go.work there or above, name as modules.
func localModules(root string) (folders []string) {
	add := func(dir, folder string) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, filepath.FromSlash(folder))
		}
		folders = append(folders, folder)
	}
	replaced := func(dir string, list []*modfile.Replace) {
		for _, r := range list {
			if r.New.Version == "" {
				add(dir, r.New.Path)
			}
		}
	}
	if m, err := modfile.Parse("go.mod", []byte(textOf(filepath.Join(root, "go.mod"))), nil); err == nil {
		replaced(root, m.Replace)
	}
	for dir := root; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, "go.work")
		if w, err := modfile.ParseWork(name, []byte(textOf(name)), nil); err == nil && len(w.Use) > 0 {
			for _, u := range w.Use {
				add(dir, u.Path)
			}
			replaced(dir, w.Replace)
			return folders
		}
		if dir == filepath.Dir(dir) {
			return folders
		}
	}
}

// inModuleCache reports whether a folder of a path is that of a module with a version, as in the module cache.
func inModuleCache(file string) bool {
	for folder := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(file)), "/") {
		if _, version, ok := strings.Cut(folder, "@"); ok && strings.HasPrefix(version, "v") {
			return true
		}
	}
	return false
}

// inGOROOT reports whether a file is below the folder src of a Go distribution.
func inGOROOT(file string) bool {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) != "src" {
			continue
		}
		_, err := os.Stat(filepath.Join(dir, "..", "VERSION"))
		if err == nil && modfile.ModulePath([]byte(textOf(filepath.Join(dir, "go.mod")))) == std {
			return true
		}
	}
	return false
}
