package code

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTheGivenGoCommandLoads has a go command in PATH that fails, as one of another version does, and a driver that does not exist.
func TestTheGivenGoCommandLoads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other go command is a shell script")
	}
	gocmd, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	other, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(other, "go"):   "#!/bin/sh\necho this is another go command >&2\nexit 1\n",
		filepath.Join(dir, "go.mod"): "module example.com/p\n\ngo 1.24\n",
		filepath.Join(dir, "p.go"):   "package p\n\nfunc F() {}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	path := other + string(filepath.ListSeparator) + os.Getenv("PATH")
	t.Setenv("PATH", path)
	src := Source{Go: gocmd, Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPACKAGESDRIVER="+filepath.Join(dir, "driver"))}
	list, err := src.Load(t.Context(), LoadOptions{Mode: Alone}, ".")
	if err != nil || len(list) != 1 || list[0].PkgPath != "example.com/p" || len(list[0].Errors) > 0 {
		t.Errorf("Load = %v, %v", list, err)
	}
	if got := os.Getenv("PATH"); got != path {
		t.Errorf("PATH is %s afterwards, want %s", got, path)
	}
}

func TestTheProblemIsTheErrorWithAPosition(t *testing.T) {
	lost := &packages.Package{Errors: []packages.Error{{Pos: "p.go:1:8", Msg: "cannot find package q"}}}
	for _, tt := range []struct {
		name    string
		list    []packages.Error
		imports map[string]*packages.Package
		want    string
	}{
		{"it compiles", nil, nil, ""},
		{"an error has a position", []packages.Error{{Pos: "-", Msg: "# p\nfirst"}, {Pos: "p.go:1:2", Msg: "undefined: x"}}, nil, "p.go:1:2: undefined: x"},
		{"none has one", []packages.Error{{Msg: "# example.com/p\n\tp.go: no such file\nmore"}}, nil, "p.go: no such file"},
		{"it has a heading only", []packages.Error{{Msg: "# p"}}, nil, "# p"},
		{"an imported package is missing", []packages.Error{{Pos: "p.go:9:2", Msg: "undefined: q.F"}}, map[string]*packages.Package{"q": lost}, "p.go:1:8: cannot find package q"},
		{"it compiles and imports a package that is missing", nil, map[string]*packages.Package{"q": lost}, ""},
	} {
		if got := Problem(&packages.Package{Errors: tt.list, Imports: tt.imports}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
