package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

var bytesAndInt = []input.Kind{input.Bytes, input.Int}

// in returns the store in a directory.
func in(dir string) Store { return Open(dir, GoTest(bytesAndInt)) }

// tuple returns arguments of the kinds bytesAndInt.
func tuple(text string, n int) input.Args {
	a, err := input.FromValues([]any{[]byte(text), n})
	if err != nil {
		panic(err)
	}
	return a
}

// put writes a file below dir, whose directory it makes.
func put(t testing.TB, dir, name, content string) (path string) {
	t.Helper()
	path = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNameIsTheOneThatGoGives(t *testing.T) {
	for file, want := range map[string]string{ // names that `go test -fuzz` gave
		"go test fuzz v1\n[]byte(\"0\")\n": "582528ddfad69eb5",
		"go test fuzz v1\nstring(\"0\")\n": "771e938e4458e983",
	} {
		if got := Name([]byte(file)); got != want {
			t.Errorf("Name(%q) = %s, want %s", file, got, want)
		}
	}
}

func TestReadErrorsNameFileAndReason(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ name, file, want string }{
		{"malformed", "go test fuzz v1\nint(x)\n", `line 2: malformed value "int(x)": "x" is not a value of int: an integer literal is needed`},
		{"mistyped", "go test fuzz v1\nint(1)\nint(2)\n", "mismatched types in corpus entry: [int int], want [[]uint8 int]"},
		{"too-short", "go test fuzz v1\nint(1)\n", "wrong number of values in corpus entry: 1, want 2"},
		{"empty", "", "the file is empty"},
	} {
		path := put(t, dir, tt.name, tt.file)
		a, err := Read(path, GoTest(bytesAndInt))
		if want := "read corpus file " + path + ": " + tt.want; err == nil || err.Error() != want {
			t.Errorf("Read of the %s file = %v, %v\nwant error %s", tt.name, a, err, want)
		}
	}
	missing := filepath.Join(dir, "missing")
	_, err := Read(missing, GoTest(bytesAndInt))
	if !errors.Is(err, fs.ErrNotExist) || strings.Count(fmt.Sprint(err), missing) != 1 {
		t.Errorf("Read of a missing file: %v, want an error that names it once", err)
	}
}

func TestRemoveTakesAFileAndForgivesItsAbsence(t *testing.T) {
	dir := t.TempDir()
	path, _, err := in(dir).Save(tuple("a", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"a file", "a file that is gone"} {
		if err := Remove(path); err != nil {
			t.Errorf("Remove of %s: %v", when, err)
		}
	}
	if _, err := Read(path, GoTest(bytesAndInt)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Remove, Read says %v", err)
	}
	put(t, dir, "sub/entry", "")
	if err := Remove(filepath.Join(dir, "sub")); err == nil {
		t.Error("Remove takes a directory with what is in it")
	}
}

// upper is a codec whose files have the first argument in upper case.
type upper struct{}

func (upper) Marshal(a input.Args) ([]byte, error) { return bytes.ToUpper(a[0].Data), nil }

func (upper) Unmarshal(file []byte) (input.Args, error) {
	if len(file) == 0 {
		return nil, errors.New("nothing is there")
	}
	return input.Args{{Kind: input.Bytes, Data: bytes.ToLower(file)}}, nil
}

func TestTheCodecDecidesWhatIsInAFile(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir, upper{})
	a := input.Args{{Kind: input.Bytes, Data: []byte("text")}}
	path, isNew, err := s.Save(a)
	if err != nil || !isNew || filepath.Base(path) != Name([]byte("TEXT")) {
		t.Fatalf("Save = %s, %v, %v", path, isNew, err)
	}
	if file, err := os.ReadFile(path); string(file) != "TEXT" {
		t.Errorf("the file has %q (%v)", file, err)
	}
	if got, err := s.Read(filepath.Base(path)); err != nil || !got.Equal(a) {
		t.Errorf("Read = %v, %v, want %v", got, err, a)
	}
	put(t, dir, "empty", "")
	entries, problems, err := s.Load(t.Context(), nil)
	if err != nil || len(entries) != 1 || !entries[0].Args.Equal(a) || len(problems) != 1 || !strings.Contains(problems[0].Error(), "nothing is there") {
		t.Errorf("Load = %v, %v, %v", entries, problems, err)
	}
	if names, err := s.List(); err != nil || len(names) != 2 || names[1] != "empty" {
		t.Errorf("List = %q, %v", names, err)
	}
	h, err := s.TakeTemporary(input.Args{{Kind: input.Bytes, Data: []byte("other")}})
	if err != nil || filepath.Base(h.Path()) != Name([]byte("OTHER")) {
		t.Fatalf("TakeTemporary = %v, %v", h, err)
	}
	if err := h.Release(); err != nil {
		t.Error(err)
	}
}

func TestTheCodecOfGoTestTakesAnyKindsIfNoneAreGiven(t *testing.T) {
	file := input.Marshal(tuple("a", 1))
	for _, kinds := range [][]input.Kind{nil, bytesAndInt} {
		if a, err := GoTest(kinds).Unmarshal(file); err != nil || !a.Equal(tuple("a", 1)) {
			t.Errorf("with the kinds %v Unmarshal = %v, %v", kinds, a, err)
		}
	}
	if a, err := GoTest([]input.Kind{}).Unmarshal(file); err == nil {
		t.Errorf("for a target without arguments Unmarshal = %v", a)
	}
}
