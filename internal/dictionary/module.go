package dictionary

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// modules finds the folders of packages by their import paths, as far as that takes no more than a few small files:
// go.mod, go.work, the vendor folder, the module cache.
type modules struct {
	own    []folder // those whose sources are the user's, the longest path first
	others []folder // those in the module cache, the longest path first
	vendor string   // folder; empty: none
}

// folder is a folder whose packages have import paths that begin with path.
type folder struct{ path, dir string }

// findModules looks for the module that dir is in. Without one, there are no folders to find.
func findModules(dir string, getenv func(string) string) *modules {
	m := &modules{}
	root := findUp(dir, "go.mod")
	if root == "" {
		return m
	}
	cache := moduleCache(getenv)
	m.read(root, cache)
	m.standard(root, dir)
	workspace := getenv("GOWORK")
	if workspace == "" {
		if d := findUp(root, "go.work"); d != "" {
			workspace = filepath.Join(d, "go.work")
		}
	}
	vendor := filepath.Join(root, "vendor")
	if workspace != "" && workspace != "off" {
		vendor = filepath.Join(filepath.Dir(workspace), "vendor")
		for _, dir := range used(workspace) {
			m.read(under(filepath.Dir(workspace), dir), cache)
		}
	}
	if isDir(vendor) {
		m.vendor = vendor
	}
	longestFirst := func(a, b folder) int { return cmp.Compare(len(b.path), len(a.path)) }
	slices.SortStableFunc(m.own, longestFirst)
	slices.SortStableFunc(m.others, longestFirst)
	return m
}

// standard takes the standard library for other modules, except for the packages beside the one in dir: everything
// imports package runtime in the end.
func (m *modules) standard(root, dir string) {
	if len(m.own) == 0 || m.own[0].path != "std" {
		return
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return
	}
	family, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	m.own = []folder{{family, filepath.Join(root, family)}}
	m.others = append(m.others, folder{"", root})
}

// read takes what the go.mod in root says. Where two of them say different things, the first one counts; in one of them,
// what is replaced counts before what is required.
func (m *modules) read(root, cache string) {
	name := filepath.Join(root, "go.mod")
	text, err := disk.Read(name, disk.MaxList)
	if err != nil {
		return
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return // the go command reports what is wrong
	}
	if file.Module != nil {
		m.own = append(m.own, folder{file.Module.Mod.Path, root})
	}
	for _, r := range file.Replace {
		if r.New.Version == "" {
			m.own = append(m.own, folder{r.Old.Path, under(root, r.New.Path)})
		} else {
			m.fetched(r.Old.Path, r.New, cache)
		}
	}
	for _, r := range file.Require {
		m.fetched(r.Mod.Path, r.Mod, cache)
	}
}

// fetched notes that the packages below path are those of a module in the module cache.
func (m *modules) fetched(path string, of module.Version, cache string) {
	name, err := module.EscapePath(of.Path)
	if err != nil {
		return
	}
	version, err := module.EscapeVersion(of.Version)
	if err != nil {
		return
	}
	m.others = append(m.others, folder{path, filepath.Join(cache, filepath.FromSlash(name)+"@"+version)})
}

// used returns the folders of the modules of a workspace, as its go.work has them.
func used(workspace string) (folders []string) {
	text, err := disk.Read(workspace, disk.MaxList)
	if err != nil {
		return nil
	}
	file, err := modfile.ParseWork(workspace, text, nil)
	if err != nil {
		return nil
	}
	for _, u := range file.Use {
		folders = append(folders, u.Path)
	}
	return folders
}

// find returns the folder of a package; empty: it is not found, or it is of the standard library. own reports whether the
// sources are the user's.
func (m *modules) find(path string) (dir string, own bool) {
	if dir := below(m.own, path); dir != "" {
		return dir, true
	}
	if m.vendor != "" {
		if dir := filepath.Join(m.vendor, filepath.FromSlash(path)); isDir(dir) {
			return dir, false
		}
	}
	return below(m.others, path), false
}

// below returns the folder of a package in one of the modules.
func below(list []folder, path string) string {
	for _, m := range list {
		rest, ok := strings.CutPrefix(path, m.path)
		if !ok || m.path != "" && rest != "" && rest[0] != '/' {
			continue
		}
		if dir := filepath.Join(m.dir, filepath.FromSlash(rest)); isDir(dir) {
			return dir
		}
	}
	return ""
}

// findUp returns the nearest folder above dir, or dir, that has a file of that name.
func findUp(dir, name string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// moduleCache guesses what `go env GOMODCACHE` says.
func moduleCache(getenv func(string) string) string {
	if dir := getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	gopath := filepath.SplitList(getenv("GOPATH"))
	if len(gopath) > 0 && gopath[0] != "" {
		return filepath.Join(gopath[0], "pkg", "mod")
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
