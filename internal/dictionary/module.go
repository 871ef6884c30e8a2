package dictionary

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// modules finds the folders of packages by their import paths, as far as that takes no more than a few small files:
// go.mod, go.work, the vendor folder, the module cache.
type modules struct {
	own    []module // those whose sources are the user's, the longest path first
	others []module // those in the module cache, the longest path first
	vendor string   // folder; empty: none
}

// module is a folder whose packages have import paths that begin with path.
type module struct{ path, dir string }

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
		for _, d := range directives(workspace) {
			if d[0] == "use" && len(d) > 1 {
				m.read(under(filepath.Dir(workspace), d[1]), cache)
			}
		}
	}
	if isDir(vendor) {
		m.vendor = vendor
	}
	longestFirst := func(a, b module) int { return cmp.Compare(len(b.path), len(a.path)) }
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
	m.own = []module{{family, filepath.Join(root, family)}}
	m.others = append(m.others, module{"", root})
}

// read takes what the go.mod in root says. Where two of them say different things, the first one counts; in one of them,
// what is replaced counts before what is required.
func (m *modules) read(root, cache string) {
	all := directives(filepath.Join(root, "go.mod"))
	slices.SortStableFunc(all, func(a, b []string) int {
		return cmp.Compare(slices.Index(lastDirectives, a[0]), slices.Index(lastDirectives, b[0]))
	})
	for _, d := range all {
		switch {
		case d[0] == "module" && len(d) > 1:
			m.own = append(m.own, module{d[1], root})
		case d[0] == "replace":
			i := slices.Index(d, "=>")
			if i < 2 || i+1 >= len(d) {
				continue
			}
			if to := d[i+1]; strings.HasPrefix(to, ".") || filepath.IsAbs(to) {
				m.own = append(m.own, module{d[1], under(root, to)})
			} else if i+2 < len(d) {
				m.others = append(m.others, module{d[1], filepath.Join(cache, escape(to)+"@"+escape(d[i+2]))})
			}
		case d[0] == "require" && len(d) > 2:
			m.others = append(m.others, module{d[1], filepath.Join(cache, escape(d[1])+"@"+escape(d[2]))})
		}
	}
}

// lastDirectives are those that are read behind all others, in this order.
var lastDirectives = []string{"replace", "require"}

// find returns the folder of a package; empty: it is not found, or it is of the standard library. own tells whether the
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
func below(list []module, path string) string {
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

// directives reads a go.mod or go.work: each line as its words, with the keyword of its block in front. A file that
// cannot be read says nothing.
func directives(path string) (all [][]string) {
	data, err := disk.Read(path, disk.MaxList)
	if err != nil {
		return nil
	}
	block := ""
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		for i, w := range words {
			if s, err := strconv.Unquote(w); err == nil {
				words[i] = s
			}
		}
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case block != "":
			all = append(all, append([]string{block}, words...))
		default:
			all = append(all, words)
		}
	}
	return all
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

// escape writes upper case letters as the module cache does: !a for A.
func escape(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
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
