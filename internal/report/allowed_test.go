package report

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// goroot makes what shows that a folder is a Go distribution, and returns a file of it.
func goroot(t *testing.T, root string) string {
	t.Helper()
	writeFile(t, filepath.Join(root, "VERSION"), "go1.26.0\n")
	writeFile(t, filepath.Join(root, "src", "go.mod"), "module std\n")
	file := filepath.Join(root, "src", "strings", "strings.go")
	writeFile(t, file, "package strings\n")
	return file
}

func TestLinesAreShownOfTheCodeUnderTestOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	base := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	root := at("work", "m")
	writeFile(t, at("work", "m", "go.mod"), "module example.com/m\n\nreplace example.com/lib => ../lib\n\nreplace example.com/x => example.com/y v1.0.0\n")
	writeFile(t, at("work", "go.work"), "go 1.24\n\nuse (\n\t./m\n\t./sibling\n)\n\nreplace example.com/z => ../z\n")
	for _, name := range []string{
		"work/m/p.go", "work/m/expr.y", "work/lib/lib.go", "work/lib/secret", "work/sibling/s.go", "work/other/o.go", "z/z.go",
		"mod/example.com/d@v1.2.0/sub/d.go", "mod/example.com/d@v1.2.0/key", "home/a@b/mail.go", "home/private.go", "home/passwd",
	} {
		writeFile(t, at(filepath.FromSlash(name)), "line 1\nline 2\nline 3\n")
	}
	std := goroot(t, at("go"))
	if err := os.Symlink(at("home", "passwd"), at("work", "m", "link.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("work", "m"), at("short")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, file string
		want       bool
	}{
		{"a file of the module", at("work", "m", "p.go"), true},
		{"by its path in the module", "p.go", true},
		{"a grammar of the module", at("work", "m", "expr.y"), true},
		{"by the name of a link to the module", at("short", "p.go"), true},
		{"a module that go.mod replaces with a folder", at("work", "lib", "lib.go"), true},
		{"a module of go.work", at("work", "sibling", "s.go"), true},
		{"a module that go.work replaces with a folder", at("z", "z.go"), true},
		{"the module cache", at("mod", "example.com", "d@v1.2.0", "sub", "d.go"), true},
		{"GOROOT", std, true},

		{"what is no Go file in a folder that go.mod names", at("work", "lib", "secret"), false},
		{"what is no Go file in the module cache", at("mod", "example.com", "d@v1.2.0", "key"), false},
		{"a folder whose name has no version", at("home", "a@b", "mail.go"), false},
		{"a folder beside the modules", at("work", "other", "o.go"), false},
		{"a Go file elsewhere", at("home", "private.go"), false},
		{"a file elsewhere", at("home", "passwd"), false},
		{"a link in the module that leads out of it", at("work", "m", "link.go"), false},
		{"a path that leads out of the module", "../../home/passwd", false},
		{"a file that is not there", at("work", "m", "none.go"), false},
	} {
		r := finding.Record{Last: time.Now().Add(time.Hour)}
		lines, _ := Options{Root: root, Dir: root}.Excerpt(r, finding.Call{File: tt.file, Line: 1}, 1)
		if (len(lines) > 0) != tt.want {
			t.Errorf("%s: that lines of %s are shown is %v, want %v", tt.name, tt.file, len(lines) > 0, tt.want)
		}
	}
}
