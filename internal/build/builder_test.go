package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// edited has files of each kind that the go command reads.
const edited = `
-- go.mod --
module example.com/m

go 1.24
-- dep/dep.go --
package dep

const Text = "as it was"
-- words/word.txt --
embedded
-- m.go --
package m

import _ "embed"

//go:embed words/word.txt
var word string
-- m_test.go --
package m

import (
	"testing"

	"example.com/m/dep"
)

func FuzzM(f *testing.F) {
	f.Log(dep.Text, word)
	f.Fuzz(func(t *testing.T, b []byte) {})
}
`

func TestABuilderBuildsTheSourcesAsTheyWere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package")
	}
	remove := func(name string) func(dir string) error {
		return func(dir string) error { return os.RemoveAll(filepath.Join(dir, name)) }
	}
	write := func(name, text string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666) }
	}
	for name, change := range map[string]func(dir string) error{
		"nothing":               func(string) error { return nil },
		"a test file":           write("m_test.go", "package m\n\nno Go\n"),
		"a dependency":          write("dep/dep.go", "package dep\n\nconst Text = \"as it is\"\n"),
		"a file that is new":    write("new_test.go", "package m\n\nno Go\n"),
		"a file that is gone":   remove("m_test.go"),
		"a folder that is gone": remove("dep"),
		"an embedded file":      write("words/word.txt", "another"),
		"go.mod":                write("go.mod", "module example.com/other\n"),
	} {
		t.Run(name, func(t *testing.T) {
			testkit.OwnCache(t)
			tc := toolchain.Find(t, "")
			dir := testkit.Unpack(t, edited)
			b, err := NewBuilder(t.Context(), tc, dir, []string{"./..."}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			file, err := b.Plain(t.Context(), "example.com/m", nil)
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(file, "-test.v").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "as it was embedded") {
				t.Errorf("%v\n%s", err, out)
			}
			if text, err := os.ReadFile(b.Actual(filepath.Join(dir, "m_test.go"))); err != nil || !strings.Contains(string(text), "func FuzzM") {
				t.Errorf("the test file is shown as %q, %v", text, err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the binary stays: %v", err)
			}
		})
	}
}

func TestABuilderKeepsTheOverlayOfTheUser(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package")
	}
	testkit.OwnCache(t)
	dir := testkit.Unpack(t, edited)
	other := filepath.Join(t.TempDir(), "dep.go")
	text := gocommand.EncodeOverlay(map[string]string{filepath.Join(dir, "dep", "dep.go"): other})
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	err := errors.Join(os.WriteFile(overlay, text, 0o666), os.WriteFile(other, []byte("package dep\n\nconst Text = \"replaced\"\n"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"-overlay=" + overlay}
	b, err := NewBuilder(t.Context(), toolchain.Find(t, ""), dir, []string{"."}, flags)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := errors.Join(os.Remove(other), os.Remove(overlay)); err != nil {
		t.Fatal(err)
	}
	file, err := b.Plain(t.Context(), "example.com/m", flags)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(file, "-test.v").CombinedOutput(); err != nil || !strings.Contains(string(out), "replaced embedded") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestBinariesOfDifferentFlagsHaveDifferentPaths(t *testing.T) {
	folder := testkit.OwnCache(t)
	site, err := cache.OpenSite()
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	b := &Builder{Modfiles: gocommand.Modfiles{Site: site}}
	base := b.Path("example.com/m", nil)
	if !gocommand.Below(base, folder) || filepath.Base(base) != "m.test" {
		t.Errorf("path = %s, want m.test in %s", base, folder)
	}
	plainStd := &Builder{Modfiles: gocommand.Modfiles{Site: site}, tc: gocommand.Toolchain{Plain: true}}
	for _, other := range []string{
		b.Path("example.com/n/m", nil), b.Path("example.com/m", []string{"-race"}), plainStd.Path("example.com/m", nil),
	} {
		if other == base {
			t.Errorf("another binary is %s too", base)
		}
	}
}

func TestASourceThatHasChangedSinceIsTold(t *testing.T) {
	testkit.OwnCache(t)
	dir := testkit.Unpack(t, edited)
	p := PlainBuild{Dir: dir, Begun: time.Now().Add(time.Hour)}
	b, err := p.Builder(t.Context(), os.Environ(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "dep", "dep.go")
	if err := os.Chtimes(name, time.Time{}, p.Begun.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Builder(t.Context(), os.Environ(), dir); err == nil || !strings.HasPrefix(err.Error(), name+" has changed since") {
		t.Errorf("the error is %v, want one about %s", err, name)
	}
	sites, err := cache.SitePath("")
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(sites); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTheGoCommandHasItsTemporaryFoldersWhereTheyAreRemoved(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		want bool
	}{
		{"the user has chosen no place", nil, true},
		{"the user has chosen the default", []string{"GOTMPDIR="}, true},
		{"the user has chosen a place", []string{"GOTMPDIR=/elsewhere"}, false},
	} {
		dir := filepath.Join(t.TempDir(), "tmp")
		tc := gocommand.Toolchain{Env: tt.env}
		if err := useTempFolder(&tc, dir); err != nil {
			t.Fatal(err)
		}
		if last := tc.Environ(); (len(last) > 0 && last[len(last)-1] == "GOTMPDIR="+dir) != tt.want {
			t.Errorf("%s: the environment is %q", tt.name, last)
		}
	}
}
