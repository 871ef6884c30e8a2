package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheModuleIsLookedForUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	if p := Find(deep); p.Root != deep || p.Path != deep {
		t.Errorf("without a module it is %+v", p)
	}
	for _, f := range []struct {
		name, text string
		want       Module
	}{
		{"go.work", "go 1.24\n", Module{root, root}},
		{"go.mod", "// the module x\n\nmodule \"example.com/m\" // ours\n", Module{root, "example.com/m"}},
	} {
		if err := os.WriteFile(filepath.Join(root, f.name), []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if p := Find(deep); p != f.want {
			t.Errorf("with %s it is %+v, want %+v", f.name, p, f.want)
		}
	}
}
