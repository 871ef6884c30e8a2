package overlay

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// injection is the text of added files by path below GOROOT/src.
type injection map[string][]byte

// add adds the file name with the module's import paths changed to those in the test binary, and returns the folders
// of the packages of the module that it imports.
func (in injection) add(name string, text []byte) (folders []string, err error) {
	fail := func(err error) ([]string, error) {
		return nil, fmt.Errorf("inject %s: %w; this is an error in gnaw", name, err)
	}
	if _, ok := in[name]; ok {
		return fail(errors.New("two packages have this path"))
	}
	importPath, base := path.Split(name)
	importPath = path.Clean(importPath)
	if path.Ext(name) == ".s" {
		in.addAssembly(importPath, base, text)
		return nil, nil
	}
	s, err := parseSource(name, text)
	if err != nil {
		return fail(err)
	}
	for _, im := range s.file.Imports {
		target, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			return fail(err)
		}
		folder, ours := strings.CutPrefix(target, modulePath+"/")
		if ours {
			folders = append(folders, folder)
			s.replace(im.Path.Pos(), im.Path.End(), strconv.Quote(injectedPath(folder)))
		} else if !standard(target) {
			return fail(fmt.Errorf("it imports %s, which is not in the standard library", target))
		}
	}
	if err := in.linkAssembly(importPath, base, s); err != nil {
		return fail(err)
	}
	in[name] = s.result()
	return folders, nil
}

// standard reports whether an import path has the form of those of the standard library. Cgo is none of it: gnaw needs
// no C compiler.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return first != "" && first != "C" && !strings.Contains(first, ".")
}
