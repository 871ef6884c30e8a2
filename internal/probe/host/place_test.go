package host

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFailingInputsGoWhereGoTestReadsThem(t *testing.T) {
	root := t.TempDir()
	pkg := filepath.Join(root, "m", "pkg")
	if err := os.MkdirAll(pkg, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "m", "go.mod"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	corpus := filepath.Join("testdata", "fuzz", "FuzzX")
	module := filepath.Join(root, "m")
	for _, tt := range []struct{ name, folder, now, write, shown, seed string }{
		{"the process stays where it is", pkg, pkg, corpus, corpus, "a/b"},
		{"it goes to the root of the module", pkg, module, filepath.Join(module, corpus), filepath.Join("..", corpus), filepath.Join(module, "a/b")},
		{"it goes out of the module", pkg, root, corpus, corpus, filepath.Join(root, "a/b")},
		{"its folder is gone", pkg, "", corpus, corpus, "a/b"},
		{"nobody knows where it was started", "", root, corpus, corpus, filepath.Join(root, "a/b")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := Place(tt.folder, tt.now, corpus)
			if p.Write != tt.write || p.Shown != tt.shown || p.Seed("a/b") != tt.seed || p.Seed("seed#0") != "seed#0" {
				t.Errorf("Place = %+v with the seed %s, want %s shown as %s with %s", p, p.Seed("a/b"), tt.write, tt.shown, tt.seed)
			}
		})
	}
}
