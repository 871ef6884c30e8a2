package code

import (
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// standard returns the types of packages of the standard library, by import path.
func standard(t *testing.T, paths ...string) map[string]*types.Package {
	t.Helper()
	loaded, err := Source{Environ: os.Environ()}.Load(t.Context(), LoadOptions{Mode: Alone}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]*types.Package{}
	for _, p := range loaded {
		if problem := Problem(p); problem != "" {
			t.Fatal(problem)
		}
		list[p.PkgPath] = p.Types
	}
	return list
}

// function returns a function, or a method of a type, of a package of the standard library; nil: there is none.
func function(pkg *types.Package, name string) *types.Func {
	typ, method, isMethod := strings.Cut(name, ".")
	o := pkg.Scope().Lookup(typ)
	if o == nil || !isMethod {
		f, _ := o.(*types.Func)
		return f
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type()), true, pkg, method)
	f, _ := found.(*types.Func)
	return f
}

func TestTheEnvironmentNamesWhatExists(t *testing.T) {
	paths := slices.DeleteFunc(slices.Collect(maps.Keys(environment)), func(path string) bool { return strings.HasSuffix(path, "/") })
	list := standard(t, paths...)
	for _, path := range paths {
		o, pkg := environment[path], list[path]
		for _, names := range [][]string{o.acts, o.calls, o.some} {
			for _, name := range names {
				if function(pkg, name) == nil {
					t.Errorf("%s has no function %s", path, name)
				}
			}
		}
		for _, name := range o.few {
			if pkg.Scope().Lookup(name) == nil {
				t.Errorf("%s has no %s", path, name)
			}
		}
	}
}

func TestFunctionsHaveToDoWithTheEnvironment(t *testing.T) {
	list := standard(t, "io/fs", "log", "net", "os", "os/exec", "reflect", "strings", "syscall", "testing/fstest", "time")
	for _, tt := range []struct {
		path, name                     string
		acts, calls, outward, isSystem bool
	}{
		{"os", "Remove", true, false, true, false},
		{"os", "File.Chmod", true, false, true, false},
		{"os", "Open", false, false, true, false},
		{"os", "Getenv", false, false, false, false},
		{"os", "FileMode.IsDir", false, false, false, false},
		{"os/exec", "Cmd.Run", true, false, true, false},
		{"os/exec", "Command", false, false, true, false},
		{"net", "Dial", true, false, true, false},
		{"net", "IP.String", false, false, false, false},
		{"time", "Sleep", false, false, true, false},
		{"time", "Parse", false, false, false, false},
		{"log", "Logger.Fatal", false, false, true, false},
		{"log", "Logger.Printf", false, false, false, false},
		{"syscall", "Exit", false, false, true, true},
		{"syscall", "Getpid", false, false, true, false},
		{"syscall", "Errno.Error", false, false, true, false},
		{"reflect", "Value.Call", false, true, false, false},
		{"reflect", "Value.Len", false, false, false, false},
		{"io/fs", "ReadFile", false, false, false, false},
		{"testing/fstest", "MapFS.ReadFile", false, false, true, false},
		{"strings", "ToUpper", false, false, false, false},
	} {
		f := function(list[tt.path], tt.name)
		if f == nil {
			t.Errorf("%s has no %s", tt.path, tt.name)
			continue
		}
		if acts, calls, outward, isSystem := Acts(f), CallsOthers(f), IsOutward(f), IsSystemCall(f); acts != tt.acts || calls != tt.calls || outward != tt.outward || isSystem != tt.isSystem {
			t.Errorf("%s.%s: acts %v, calls others %v, is outward %v, is a system call %v", tt.path, tt.name, acts, calls, outward, isSystem)
		}
	}
}

func TestErrorsOfSomePackagesComeFromTheEnvironment(t *testing.T) {
	for path, want := range map[string]bool{
		"os": true, "os/exec": true, "os/user": true, "net": true, "net/http": true, "net/url": false, "runtime/debug": true, "time": true,
		"example.com/os": false, "osx": false, "io": false, "io/fs": true, "": false, "/": false, "reflect": false, "runtime/coverage": true,
	} {
		if got := FailsOutside(path); got != want {
			t.Errorf("%q: %v, want %v", path, got, want)
		}
	}
}
