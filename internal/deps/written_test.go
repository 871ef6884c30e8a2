package deps

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestTheVersionWhoseWrittenTargetsAreUsed(t *testing.T) {
	const target = "package p\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) {}\n"
	root := t.TempDir()
	write(t, filepath.Join(root, ".gnaw", "deps", "example.com"), map[string]string{
		"d@v1.0.0/fuzz_test.go":                target,
		"d@v1.2.0/fuzz_test.go":                target,
		"d@v1.10.0/fuzz_test.go":               target,
		"d@v1.2.0/p/fuzz_test.go":              target,
		"d@v1.2.0/p/gnaw_fuzz_test.go":         target,
		"d@v1.2.0/p/helper.go":                 "package p",
		"d@v1.2.0/p/testdata/fuzz/FuzzX/input": "",
		"d@v1.2.0/testdata/q/x_test.go":        target,
		"dd@v1.2.0/other/fuzz_test.go":         target,
	})
	for _, tt := range []struct {
		name, version string
		want          map[string]string // version of the targets, by package
	}{
		{"the same version", "v1.2.0", map[string]string{".": "v1.2.0", "p": "v1.2.0"}},
		{"the last version before it", "v1.9.0", map[string]string{".": "v1.2.0", "p": "v1.2.0"}},
		{"the first version after it if there is none before", "v0.1.0", map[string]string{".": "v1.0.0", "p": "v1.2.0"}},
		{"a version before it although one after it is closer", "v1.1.0", map[string]string{".": "v1.0.0", "p": "v1.2.0"}},
		{"versions are compared as numbers", "v1.11.0", map[string]string{".": "v1.10.0", "p": "v1.2.0"}},
		{"the last version for a folder that replaces the module", build.LocalVersion, map[string]string{".": "v1.10.0", "p": "v1.2.0"}},
	} {
		got := findWritten(root, "example.com/d", tt.version)
		if len(got) != len(tt.want) {
			t.Errorf("%s: there are %d packages, want %d", tt.name, len(got), len(tt.want))
		}
		for _, w := range got {
			if w.version != tt.want[w.rel] {
				t.Errorf("%s: the targets of %s are for %s, want %s", tt.name, w.rel, w.version, tt.want[w.rel])
			}
			if files := map[string]int{".": 1, "p": 2}[w.rel]; len(w.files) != files {
				t.Errorf("%s: %s has the files %q, want %d", tt.name, w.rel, w.files, files)
			}
		}
	}
	if got := findWritten(t.TempDir(), "example.com/d", "v1.0.0"); len(got) != 0 {
		t.Errorf("without a folder there are %v", got)
	}
}

func TestTheCopyOfAModuleIsMadeAgainIfAFileIsMissing(t *testing.T) {
	root, folder := t.TempDir(), filepath.Join(t.TempDir(), "module", "d@v1.0.0")
	write(t, root, map[string]string{"p/p.go": "package p", "asm.s": ""})
	for _, missing := range []string{"", "p/p.go", "go.mod", "."} {
		if missing != "" {
			if err := os.RemoveAll(filepath.Join(folder, filepath.FromSlash(missing))); err != nil {
				t.Fatal(err)
			}
		}
		if err := placeModule(t.Context(), folder, root, "example.com/d"); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"p/p.go": "package p", "asm.s": "", "go.mod": "module example.com/d\n"} {
			if got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))); err != nil || string(got) != text {
				t.Errorf("after %q was removed, %s has %q (%v), want %q", missing, name, got, err, text)
			}
		}
	}
	if list, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(list) != 1 {
		t.Errorf("%d folders are beside the copy (%v), want none", len(list)-1, err)
	}
}

func TestTheCopyForTestsHasTheWrittenTargets(t *testing.T) {
	root, main := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{"p/p.go": "package p"})
	write(t, main, map[string]string{"fuzz_test.go": "package p"})
	c := &Copies{Dir: t.TempDir()}
	folder, err := c.Open(t.Context(), Package{Target: build.Target{Name: fuzz.Name{Package: "example.com/d/p"}, Dir: filepath.Join(root, "p"), Outside: &build.Outside{
		Module: "example.com/d", Version: "v1.0.0", Root: root, Home: filepath.Join(main, "home"), Written: []string{filepath.Join(main, "fuzz_test.go")},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"p/p.go": "package p", "p/fuzz_test.go": "package p", "go.mod": "module example.com/d\n"} {
		if got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name))); err != nil || string(got) != text {
			t.Errorf("%s has %q (%v), want %q", name, got, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "p", "fuzz_test.go")); err == nil {
		t.Error("the module itself has the file")
	}
}
