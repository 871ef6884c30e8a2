package regress

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// measuredSource has a target whose function does badly what kind says, unless good is true.
const measuredSource = `package p

import "testing"

var good = %v

var (
	block []byte
	kept  [][]byte
)

func parse(kind string, b []byte) (n int) {
	if good {
		return len(b)
	}
	switch kind {
	case "alloc":
		block = make([]byte, 2<<20)
	case "leak":
		go func() { select {} }()
	case "modify":
		b[0]++
	case "keep":
		kept = append(kept, b)
	case "growth":
		for range b {
			for _, c := range b {
				n += int(c)
			}
		}
	case "large":
		for i := 0; len(b) >= 40000 && i < len(b); i += 64 {
			for _, c := range b {
				n += int(c)
			}
		}
	}
	return n
}

func FuzzP(f *testing.F) {
	kind, before, data := %q, 1, 2 // names that the measurement has too
	f.Fuzz(func(t *testing.T, n int, b []byte) { parse(kind, b); _, _ = before, data })
}
`

func TestAMeasuringTestFailsUntilItIsFixed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// An old version of the language: what is written compiles there too.
	write("go.mod", "module example.com/p\n\ngo 1.16\n")
	texts := map[string]string{
		"alloc":  "bytes for 11 bytes of input; the limit is 1048576",
		"leak":   "16 calls leave 16 goroutines behind",
		"modify": `the argument was "a,b" and is "b,b"`,
		"keep":   "after 8 calls the memory of 8 arguments is in use",
		"growth": "8 times as much of the same takes ",
	}
	limits := map[string]uint64{"alloc": 1 << 20, "leak": uint64(10 * time.Millisecond)}
	for _, kind := range oracle.All.Reporting().Names() {
		t.Run(kind, func(t *testing.T) {
			want, ok := texts[kind]
			if !ok {
				t.Fatal("no test is written for a finding of this kind")
			}
			for _, good := range []bool{false, true} {
				source := fmt.Sprintf(measuredSource, good, kind)
				o := options(t, source, 7, []byte("a,b"))
				o.Measure = &Measure{Kind: kind, Limit: limits[kind], Arg: 1, From: 1, To: 3}
				test, err := Test(o)
				if err != nil {
					t.Fatal(err)
				}
				write("p_test.go", source)
				write("regress_test.go", string(test))
				cmd := exec.Command("go", "test", "-vet=off", ".")
				cmd.Dir = dir
				out, err := cmd.CombinedOutput()
				if (err == nil) != good || strings.Contains(string(out), want) == good {
					t.Errorf("with good = %v the test says (%v)\n%s\n%s", good, err, out, test)
				}
			}
		})
	}
}

// What is fast with an input of 32 KiB is measured with one with which it takes long in plain go test.
func TestGrowthIsMeasuredWhereItIsSlow(t *testing.T) {
	dir := t.TempDir()
	source := fmt.Sprintf(measuredSource, false, "large")
	for _, tt := range []struct {
		name   string
		copies int
		fails  bool
	}{{"known", 24000, true}, {"not known", 0, false}} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, source, 7, []byte("a,b"))
			o.Measure = &Measure{Kind: "growth", Arg: 1, From: 1, To: 3, Copies: tt.copies, Power: 2}
			test, err := Test(o)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.16\n", "p_test.go": source, "regress_test.go": string(test)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("go", "test", "-vet=off", ".")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if (err != nil) != tt.fails || strings.Contains(string(out), "8 times as much of the same takes ") != tt.fails {
				t.Errorf("the test says (%v)\n%s\n%s", err, out, test)
			}
		})
	}
}

func TestWhatCannotBeMeasuredIsAnError(t *testing.T) {
	source := fmt.Sprintf(measuredSource, true, "x")
	for _, tt := range []struct {
		name    string
		measure Measure
		values  []any
		want    string
	}{
		{"another kind", Measure{Kind: "panic"}, []any{7, []byte("a")}, "no test for a finding of the kind panic"},
		{"no byte slice", Measure{Kind: "modify"}, []any{7, "a"}, "no argument is a byte slice"},
		{"an empty byte slice", Measure{Kind: "keep"}, []any{7, []byte{}}, "no argument is a byte slice"},
		{"no piece", Measure{Kind: "growth", Arg: 1}, []any{7, []byte("a")}, "does not say what of the input was repeated"},
		{"a piece that is not there", Measure{Kind: "growth", Arg: 1, From: 0, To: 2}, []any{7, []byte("a")}, "does not say what of the input was repeated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, source, tt.values...)
			o.Measure = &tt.measure
			if _, err := Test(o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want one with %q", err, tt.want)
			}
		})
	}
}
