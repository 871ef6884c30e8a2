package finding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closureStacks reads the stacks of a file in testdata/closures, by the name of the stack. Each line is the function and the place of a call.
func closureStacks(t *testing.T, file string) map[string][]Call {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stacks, name := map[string][]Call{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if n, ok := strings.CutPrefix(line, "== "); ok {
			name = n
		} else if fn, at, ok := strings.Cut(line, " "); ok {
			stacks[name] = append(stacks[name], callAt(fn, at))
		}
	}
	return stacks
}

// TestABugInAClosureHasOneKeyWithEachToolchain reads stacks of one program that each toolchain has compiled.
func TestABugInAClosureHasOneKeyWithEachToolchain(t *testing.T) {
	files, err := filepath.Glob("testdata/closures/go*.txt")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	want := closureStacks(t, files[0])
	if len(want) < 11 {
		t.Fatalf("%s has %d stacks", files[0], len(want))
	}
	for _, file := range files[1:] {
		for name, calls := range closureStacks(t, file) {
			for _, kind := range []Kind{Panic, Hang, Fatal} {
				message := "index out of range"
				if kind == Fatal {
					message = "stack overflow"
				}
				got, first := Key(kind, "m.FuzzM", calls, message), Key(kind, "m.FuzzM", want[name], message)
				if got != first {
					t.Errorf("%s %s, %v: the key is\n%s\nand in %s\n%s", file, name, kind, got, files[0], first)
				}
			}
		}
	}
}

func TestFunctionsAroundClosures(t *testing.T) {
	for fn, want := range map[string]string{
		"m/p.F": "", "m/p.(*T).M": "", "m/p.T.M": "", "m/p.Of[...]": "", "m.v2/p.F": "", "m/p.T.M-fm": "", "m/p.func1": "",
		"m/p.F.func1": "F", "m/p.F.func1.2": "F", "m/p.F.func1.own.12": "own", "m/p.(*T).M.func3": "M", "m/p.G.(*T).M.func3": "M", "m/p.T.M.1": "M",
		"m/p.F.gowrap1": "F", "m/p.F.deferwrap2": "F", "m/p.F-range1": "F", "m/p.F.F.Seq.func2.F-range1.func3": "F", "m/p.Of[...].func1": "Of",
		"m/p.(*T[...]).Of[...].func1": "Of", "m/p.init.func1": "init", "m/p.glob..func1": "glob",
	} {
		if got, ok := declaredAround(fn); got != want && ok || ok != (want != "") {
			t.Errorf("declaredAround(%q) = %q, %v, want %q", fn, got, ok, want)
		}
	}
}

// TestFramesThatAreNoClosuresKeepTheirNames keeps the IDs of findings that earlier versions of gnaw have recorded.
func TestFramesThatAreNoClosuresKeepTheirNames(t *testing.T) {
	calls := []Call{call("F", 3), call("(*T).M", 4), {Func: "m/p.FuzzX.func1", File: "/src/p_test.go", Line: 5}, {Func: "m/p.FuzzX.func1.2", File: "/src/p_test.go", Line: 6}}
	for i, c := range named(calls) {
		if c != calls[i] {
			t.Errorf("%v becomes %v", calls[i], c)
		}
	}
}
