package effect

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

func TestTargetsThatMayActAreKnown(t *testing.T) {
	dir := t.TempDir()
	archive, err := txtar.ParseFile("testdata/effects.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	effects, err := Judge(t.Context(), Options{Source: code.Source{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, Packages: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	certain := func(call, through string) Effect { return Effect{call, through, true} }
	possible := func(call, through string) Effect { return Effect{call, through, false} }
	for _, tt := range []struct {
		name, target string
		want         Effect
	}{
		{"it removes a file", "FuzzDirect", certain("os.Remove", "a.Direct")},
		{"another package of the module removes one", "FuzzPackage", certain("os.Remove", "sub.Do")},
		{"a closure that sync.Once calls does", "FuzzOnce", certain("os.Remove", "sub.Do")},
		{"a method of another package writes one", "FuzzMethod", certain("os.WriteFile", "sub.Writer.Put")},
		{"a method of an interface removes one", "FuzzInterface", possible("os.Remove", "a.osRemover.Remove")},
		{"a variable has the function that does", "FuzzVariable", possible("os.RemoveAll", "a.Variable")},
		{"a table has it", "FuzzTable", possible("os.Rename", "a.Table")},
		{"a field has it", "FuzzField", possible("os.Truncate", "a.Field")},
		{"a field gets it from a parameter", "FuzzParameter", possible("os.Chtimes", "a.Parameter")},
		{"a generic type has it", "FuzzGeneric", possible("os.Chown", "an initializer of package a")},
		{"the initialization registers it", "FuzzRegistered", possible("os.Mkdir", "a.Registered")},
		{"TestMain sets it", "FuzzSetByTestMain", possible("os.Link", "a.TestMain")},
		{"a command is started", "FuzzCommand", certain("exec.Cmd.Run", "sub.Command")},
		{"a server is asked", "FuzzServer", certain("net.Dial", "sub.Server")},
		{"a String method that fmt calls acts", "FuzzStringer", possible("os.Symlink", "sub.Link")},
		{"a method is called by reflection", "FuzzReflection", possible("reflect.Value.Call", "a.Reflection")},
		{"a body is not in Go", "FuzzAssembly", possible("a.assembly, which has no Go source,", "a.Assembly")},
		{"a system call is made", "FuzzSystemCall", certain("syscall.Chdir", "a.SystemCall")},
		{"a file is opened for reading", "FuzzRead", Effect{}},
		{"fmt prints to a buffer", "FuzzPrint", Effect{}},
		{"JSON, times and numbers are read", "FuzzJSON", Effect{}},
		{"regular expressions, URLs and templates are parsed", "FuzzTexts", Effect{}},
		{"a function of the type of one that acts is called", "FuzzPure", Effect{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := effects["example.com/a."+tt.target]; got != tt.want {
				t.Errorf("the effect is %+v, want %+v", got, tt.want)
			}
		})
	}
}
