package coordinator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

func TestAProfileOfABinaryThatGnawTestDidNotBuildIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.out")
	j := jobOptions{profile: &build.Profile{File: file, Packages: []string{"./missing"}}}
	if err := checkProfile(t.Context(), Options{}, j); err != nil {
		t.Errorf("the check returns %v", err) // the go command that built the binary is not known
	}
	err := writeProfile(t.Context(), Options{}, j, "FuzzX", nil)
	if want := "write the coverage profile: this test binary was not built by gnaw test"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %v, want %q", err, want)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it writes a file")
	}
}

func TestTheCoveredPackagesOfAProfileAreChecked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "p/p.go": "package p\n", "p/p_test.go": "package p\n", "q/q.go": "package q\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Dir: filepath.Join(dir, "p"), Environ: append(os.Environ(), "GOWORK=off")}
	for pattern, want := range map[string]string{
		"./p": "", "./...": "", "./q": "its test binary contains no package that matches -coverpkg=./q", "./missing": "pattern ./missing matches no package",
	} {
		j := jobOptions{profile: &build.Profile{Packages: []string{pattern}}, plainBuild: &build.PlainBuild{Dir: dir}}
		err := checkProfile(t.Context(), o, j)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("-coverpkg=%s: %v, want %q", pattern, err, want)
		}
	}
}
