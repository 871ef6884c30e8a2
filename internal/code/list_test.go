package code

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// inFolder is part of what tests ask for.
type inFolder struct{ Dir string }

// some is what the tests ask for.
type some struct {
	inFolder
	ImportPath string
	Error      *ListError
	Noted      string `json:"-"`
}

func TestAQueryIsArgumentsOfGoList(t *testing.T) {
	for _, tt := range []struct {
		name  string
		q     Query
		flags []string
		want  string
	}{
		{"packages with flags", Query{Patterns: []string{"./...", "a"}}, []string{"-tags=x"}, "list -e -json=Dir,ImportPath,Error -tags=x -- ./... a"},
		{"tests and dependencies", Query{Deps: true, Test: true, Export: true}, nil, "list -e -deps -test -export -json=Dir,ImportPath,Error --"},
		{"errors fail", Query{Test: true, Strict: true}, nil, "list -test -json=Dir,ImportPath,Error --"},
		{"modules", Query{Modules: true, Patterns: []string{"all"}}, []string{"-mod=mod"}, "list -m -json=Dir,ImportPath,Error -mod=mod -- all"},
	} {
		for _, typ := range []reflect.Type{reflect.TypeFor[some](), reflect.TypeFor[*some]()} {
			if got := strings.Join(tt.q.args(fields(typ), tt.flags), " "); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
	}
}

func TestPackagesAreListed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "p/p.go": "package p\n", "q/q.go": "package\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src := Source{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}
	list, err := List[some](t.Context(), src, Query{Patterns: []string{"./..."}})
	if err != nil || len(list) != 2 {
		t.Fatalf("the packages are %+v, %v", list, err)
	}
	if p := list[0]; p.ImportPath != "example.com/m/p" || p.Dir != filepath.Join(dir, "p") || p.Error != nil {
		t.Errorf("the first package is %+v", p)
	}
	if p := list[1]; p.Error == nil || !strings.Contains(p.Error.String(), "q.go") {
		t.Errorf("the second package is %+v", p)
	}
	list, err = List[some](t.Context(), src, Query{Patterns: []string{"./..."}, Strict: true})
	var failed *CommandError
	if !errors.As(err, &failed) || err.Error() != failed.Said || !strings.Contains(failed.Said, "q.go") || list != nil {
		t.Errorf("without errors of packages: %+v, %v", list, err)
	}
	src.Go = filepath.Join(dir, "none")
	if list, err = List[some](t.Context(), src, Query{Patterns: []string{"./..."}}); !errors.As(err, &failed) || failed.Said != "" || !errors.Is(err, os.ErrNotExist) || list != nil {
		t.Errorf("without a go command: %+v, %v", list, err)
	}
}

func TestAnErrorOfAPackageIsALine(t *testing.T) {
	for _, tt := range []struct {
		name        string
		e           ListError
		line, first string
	}{
		{"a position", ListError{Pos: "x.go:3:1", Err: "no"}, "x.go:3:1: no", "x.go:3:1: no"},
		{"a heading", ListError{Err: "# example.com/m/x\n./x.go:3:1: a\n./x.go:4:1: b\n"}, "# example.com/m/x ./x.go:3:1: a ./x.go:4:1: b", "./x.go:3:1: a"},
		{"only a heading", ListError{Err: "# only that\n"}, "# only that", "# only that"},
	} {
		if line, first := tt.e.String(), tt.e.First(); line != tt.line || first != tt.first {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, line, first, tt.line, tt.first)
		}
	}
}
