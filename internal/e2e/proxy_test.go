package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	mod "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// goProxy makes a module proxy of files: the command goproxy of scripts. The paths of the modules have two elements.
func goProxy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: goproxy DIR MODULES")
	}
	proxy, modules := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	folders, err := filepath.Glob(filepath.Join(modules, "*", "*@*"))
	ts.Check(err)
	for _, folder := range folders {
		rel, err := filepath.Rel(modules, folder)
		ts.Check(err)
		path, version, _ := strings.Cut(filepath.ToSlash(rel), "@")
		ts.Check(addToProxy(proxy, folder, mod.Version{Path: path, Version: version}))
	}
	ts.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
}

// addToProxy adds a version of a module, whose sources are in a folder, to a proxy.
func addToProxy(proxy, folder string, m mod.Version) error {
	dir := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	list, err := os.OpenFile(filepath.Join(dir, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer list.Close()
	if _, err := fmt.Fprintln(list, m.Version); err != nil {
		return err
	}
	gomod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	base := filepath.Join(dir, m.Version)
	if err := os.WriteFile(base+".mod", gomod, 0o666); err != nil {
		return err
	}
	if err := os.WriteFile(base+".info", fmt.Appendf(nil, `{"Version":%q}`, m.Version), 0o666); err != nil {
		return err
	}
	archive, err := os.Create(base + ".zip")
	if err != nil {
		return err
	}
	defer archive.Close()
	return zip.CreateFromDir(archive, m, folder)
}
