package overlay

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe"
)

// The module's path, and where its packages go in GOROOT/src.
const (
	modulePath   = "github.com/gnaw-fuzz/gnaw"
	injectedRoot = "internal/fuzz/gnaw"
)

// Packages of the probe that this package writes calls to.
const (
	comparePackage = "internal/probe/compare" // called by the comparison hooks
	hostPackage    = "internal/probe/host"    // gets the name of the gnaw that built the binary
	hookPackage    = "internal/probe/hook"    // called by edited functions of the standard library
)

// tree is a folder of the module whose source is embedded in gnaw, so that it can be injected.
type tree struct {
	folder string // below the module's root
	files  fs.FS  // its content, as embedded by the folder's source.go
}

// trees lists all packages that may be injected; those that the roots import are.
var trees = []tree{
	{"internal/probe", probe.Source},
	{"input", input.Source},
	{"internal/minimize", minimize.Source},
}

// injectFiles are the files that are added to packages of the standard library.
//
//go:embed inject/*.txt
var injectFiles embed.FS

// additions says which file is added to which package of the standard library.
var additions = []struct{ text, file string }{
	{"inject/testing.go.txt", "testing/gnaw.go"},
	{"inject/testdeps.go.txt", "testing/internal/testdeps/gnaw.go"},
	{"inject/fuzz.go.txt", "internal/fuzz/gnaw.go"},
	{"inject/cfile.go.txt", "internal/coverage/cfile/gnaw.go"},
}

// parts is what gnaw injects, apart from the edits.
type parts struct {
	trees  []tree
	inject fs.FS
}

// own is what this gnaw injects.
var own = parts{trees, injectFiles}

// Protocol names what gnaw injects: two gnaws with the same one understand each other's test binaries. It is a hash of
// all source that may be injected.
func Protocol() string { return ownProtocol() }

var ownProtocol = sync.OnceValue(func() string { return own.protocol() })

func (p parts) protocol() string {
	var list []string
	for _, a := range additions {
		text, _ := fs.ReadFile(p.inject, a.text) // embedded: what is missing here is reported when it is used
		list = append(list, a.file, string(text))
	}
	for _, t := range p.trees {
		files, _ := t.list() // as above
		for _, name := range slices.Sorted(maps.Keys(files)) {
			list = append(list, t.folder+"/"+name, string(files[name]))
		}
	}
	return cache.Digest(list...)
}

// list reads the files of a tree that can be injected, by path in the tree: Go and assembly, whatever their build
// constraints, but no tests and no source.go, which embeds the others.
func (t tree) list() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(t.files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := path.Ext(name)
		if ext != ".go" && ext != ".s" || strings.HasSuffix(name, "_test.go") || path.Base(name) == "source.go" {
			return nil
		}
		files[name], err = fs.ReadFile(t.files, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the embedded source of %s: %w; this is an error in gnaw", t.folder, err)
	}
	return files, nil
}

// injectedPath is the import path in a test binary of the package folder, a path below the module's root.
//
// An element "internal" is left out: the go command would keep the package from the rest of the standard library.
func injectedPath(folder string) string {
	elems := slices.DeleteFunc(strings.Split(folder, "/"), func(e string) bool { return e == "internal" })
	return injectedRoot + "/" + strings.Join(elems, "/")
}

// files makes the text of all added files by path below GOROOT/src: the additions and the packages they need.
func (p parts) files() (injection, error) {
	out := injection{}
	queue := []string{comparePackage, hostPackage}
	for _, a := range additions {
		text, err := fs.ReadFile(p.inject, a.text)
		if err != nil {
			return nil, fmt.Errorf("read the embedded file %s: %w; this is an error in gnaw", a.text, err)
		}
		imports, err := out.add(a.file, text)
		if err != nil {
			return nil, err
		}
		queue = append(queue, imports...)
	}
	packages, err := p.packages()
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for len(queue) > 0 {
		folder := queue[0]
		queue = queue[1:]
		if done[folder] {
			continue
		}
		done[folder] = true
		if len(packages[folder]) == 0 {
			return nil, fmt.Errorf("inject package %s/%s: it is in no embedded tree; this is an error in gnaw",
				modulePath, folder)
		}
		for _, name := range slices.Sorted(maps.Keys(packages[folder])) {
			imports, err := out.add(injectedPath(folder)+"/"+name, packages[folder][name])
			if err != nil {
				return nil, err
			}
			queue = append(queue, imports...)
		}
	}
	return out, nil
}

// packages sorts the files of all trees by folder below the module's root.
func (p parts) packages() (map[string]map[string][]byte, error) {
	out := map[string]map[string][]byte{}
	for _, t := range p.trees {
		files, err := t.list()
		if err != nil {
			return nil, err
		}
		for name, text := range files {
			folder := path.Join(t.folder, path.Dir(name))
			if out[folder] == nil {
				out[folder] = map[string][]byte{}
			}
			out[folder][path.Base(name)] = text
		}
	}
	return out, nil
}
