package pack

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestTheFilesOfAPackageAreCollected(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	dir := t.TempDir()
	for _, name := range []string{
		"p.go", "p_test.go", "config.json", ".env", ".git/config", "sub/sub.go", "sub/data", "testdata/a.go", "testdata/.hidden", "testdata/deep/er/b",
		"testdata/fuzz/FuzzX/seed", "testdata/fuzz/FuzzX.dict", "testdata/fuzz/FuzzY/seed",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxShown + 2 {
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, "testdata", "link"+string(rune('a'+i)))); err != nil {
			t.Fatal(err)
		}
	}
	c, err := collect(dir, "FuzzX")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range c.files {
		names = append(names, strings.TrimPrefix(f.Name, "package/"))
	}
	want := []string{"config.json", "testdata/.hidden", "testdata/a.go", "testdata/deep/er/b", "testdata/fuzz/FuzzX/seed", "testdata/fuzz/FuzzX.dict"}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(want))) {
		t.Errorf("the files are %q, want %q", names, want)
	}
	if len(c.leftOut) != maxShown+1 || !strings.HasSuffix(c.leftOut[0], "linka is no regular file") || c.leftOut[maxShown] != "2 more files" {
		t.Errorf("left out: %q", c.leftOut)
	}
}

func TestAProgramThatCannotBeReadNeedsNoLibrary(t *testing.T) {
	if got := needLibc(map[string]string{"it": filepath.Join(t.TempDir(), "none")}); got != nil {
		t.Errorf("it is %q", got)
	}
}
