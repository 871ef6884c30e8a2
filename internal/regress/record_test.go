package regress

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const source = "package p\n\nimport \"testing\"\n\nfunc FuzzP(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { panic(b) }) }\n"

func TestATestIsMadeOfAFinding(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p_test.go": source})
	r := finding.Record{ID: "0123456789abcdef", Kind: finding.Panic, Message: "7", Target: "FuzzP", Input: "go test fuzz v1\nbyte('\\a')\n"}
	got, err := Of(t.Context(), dir, r, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "TestRegressFuzzP_01234567" || got.Path != filepath.Join(dir, "fuzz_regress_01234567_test.go") {
		t.Errorf("the test is %s in %s", got.Name, got.Path)
	}
	if text := string(got.Text); !strings.Contains(text, "byte('\\a')") || !strings.Contains(text, "// panic: 7\n") {
		t.Errorf("the test is\n%s\nwithout the input or the message", text)
	}
	if err := got.Write(); err != nil {
		t.Fatal(err)
	}
	var request *usage.Error
	if err := got.Write(); !errors.As(err, &request) || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a file that exists: %v, want a usage error", err)
	}
	if text, err := os.ReadFile(got.Path); err != nil || string(text) != string(got.Text) {
		t.Errorf("the file has %q (%v)", text, err)
	}

	r.Target = "FuzzQ"
	var none *session.NoTargetError
	if _, err := Of(t.Context(), dir, r, os.Environ()); !errors.As(err, &none) {
		t.Errorf("a target that is gone: %v, want that there is none", err)
	}
	r.Target, r.Input = "FuzzP", "go test fuzz v2\n"
	if _, err := Of(t.Context(), dir, r, os.Environ()); err == nil || !strings.HasPrefix(err.Error(), "read the input in the history: ") {
		t.Errorf("an input that cannot be read: %v", err)
	}
	r.Input = "go test fuzz v1\nbyte('\\a')\n"
	write(t, dir, map[string]string{"p_test.go": strings.Replace(source, "f.Fuzz(", "run(f, ", 1) + "\nvar run = func(f *testing.F, fn any) { f.Fuzz(fn) }\n"})
	if _, err := Of(t.Context(), dir, r, os.Environ()); err == nil || !strings.HasPrefix(err.Error(), "make a test of 01234567: FuzzP does not call F.Fuzz itself") {
		t.Errorf("a target without F.Fuzz: %v", err)
	}
	if _, err := Of(t.Context(), filepath.Join(dir, "none"), r, os.Environ()); err == nil {
		t.Error("a folder that does not exist has a target")
	}
}

func TestTheMeasurementIsThatOfTheFinding(t *testing.T) {
	if m := measureOf(finding.Record{Kind: finding.Panic}); m != nil {
		t.Errorf("a panic is measured: %+v", m)
	}
	r := finding.Record{Kind: finding.Growth, Measure: &finding.Measure{
		Limit: 1, Piece: finding.Piece{Arg: 1, From: 2, To: 3, CloseFrom: 4, CloseTo: 5}, Cost: &finding.Cost{Copies: 6, Power: 7},
	}}
	want := Measure{Kind: "growth", Limit: 1, Arg: 1, From: 2, To: 3, CloseFrom: 4, CloseTo: 5, Copies: 6, Power: 7}
	if got := measureOf(r); got == nil || *got != want {
		t.Errorf("measureOf = %+v, want %+v", got, want)
	}
}

func TestAMeasurementOfAnotherVersionMakesNoTest(t *testing.T) {
	r := finding.Record{ID: "0123456789abcdef", Kind: finding.Alloc, Input: "go test fuzz v1\n[]byte(\"a\")\n", Measure: &finding.Measure{}}
	const want = "the history does not say what was measured for 01234567; find it again with `gnaw fuzz`"
	if _, err := optionsOf(r, "p_test.go", nil, nil); err == nil || err.Error() != want {
		t.Errorf("optionsOf: %v, want %s", err, want)
	}
}
