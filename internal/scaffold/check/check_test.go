package check

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

func TestTheSeedOfAFailureIsFound(t *testing.T) {
	target := &plan.FuzzFunc{Name: "FuzzParse", Seeds: [][]string{{`"a"`, "1"}, {`"b"`, "2"}}}
	for _, tt := range []struct {
		name, output, seed, why string
		crash                   bool
	}{
		{
			"a check", "=== RUN   FuzzParse\n=== RUN   FuzzParse/seed#1\n    fuzz_test.go:9: it is wrong\n--- FAIL: FuzzParse (0.00s)\n    --- FAIL: FuzzParse/seed#1 (0.00s)\nFAIL\n",
			`"b", 2`, "it is wrong", false,
		},
		{
			"a panic", "=== RUN   FuzzParse\n=== RUN   FuzzParse/seed#0\n--- FAIL: FuzzParse (0.00s)\n    --- FAIL: FuzzParse/seed#0 (0.00s)\npanic: boom [recovered, repanicked]\n\ngoroutine 7\n",
			`"a", 1`, "panic: boom", true,
		},
		{"a fatal error", "=== RUN   FuzzParse/seed#0\nfatal error: all goroutines are asleep - deadlock!\n", `"a", 1`, "fatal error: all goroutines are asleep - deadlock!", true},
		{"the limit", "=== RUN   FuzzParse/seed#1\npanic: test timed out after 30s\n", `"b", 2`, "panic: test timed out after 30s", true},
		{"a seed of a file", "=== RUN   FuzzParse/f00d\npanic: boom\n", "f00d", "panic: boom", true},
		{"before the seeds", "--- FAIL: FuzzParse (0.00s)\n    fuzz_test.go:5: no file\nFAIL\n", "", "no file", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seed, why := failure(target, []byte(tt.output))
			if seed != tt.seed || why != tt.why || isCrash([]byte(tt.output)) != tt.crash {
				t.Errorf("failure = %q, %q, crash %v, want %q, %q, %v", seed, why, isCrash([]byte(tt.output)), tt.seed, tt.why, tt.crash)
			}
		})
	}
}

const twoTargets = "package p\n\nfunc FuzzA(f *testing.F) {\n\tx\n}\n\nfunc FuzzB(f *testing.F) {\n\ty\n}\n"

func TestWhatTheCompilerNamesIsDropped(t *testing.T) {
	for _, tt := range []struct{ name, output, left string }{
		{"by the compiler", "# p\n./fuzz_test.go:4:2: undefined: x\n", "FuzzB"},
		{"in another folder", "# p\n/tmp/scratch/fuzz_test.go:8:2: undefined: y\n", "FuzzA"},
		{"by vet", "# p\nvet: ./fuzz_test.go:8:2: bad format\n", "FuzzA"},
		{"both", "./fuzz_test.go:4:2: undefined: x\n./fuzz_test.go:8:2: undefined: y\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &checker{Options: Options{File: "fuzz_test.go"}, targets: []*plan.FuzzFunc{{Name: "FuzzA", Covers: []string{"A"}}, {Name: "FuzzB", Covers: []string{"B"}}}}
			if err := r.dropBroken([]byte(twoTargets), []byte(tt.output)); err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, target := range r.targets {
				left = append(left, target.Name)
			}
			if got := strings.Join(left, " "); got != tt.left || len(r.notes) != 2-len(left) {
				t.Errorf("left are %q with %d notes, want %q", got, len(r.notes), tt.left)
			}
		})
	}
}

func TestWhatDoesNotCompileIsReplacedByWhatAsksForLess(t *testing.T) {
	weaker := &plan.FuzzFunc{Name: "FuzzA", Kind: plan.Parse}
	c := &checker{Options: Options{File: "fuzz_test.go"}, targets: []*plan.FuzzFunc{{Name: "FuzzA", Kind: plan.Print, Weaker: weaker}}}
	err := c.dropBroken([]byte(twoTargets), []byte("./fuzz_test.go:4:2: undefined: x\n./fuzz_test.go:4:3: undefined: z\n"))
	if err != nil || len(c.targets) != 1 || c.targets[0] != weaker || len(c.notes) > 0 {
		t.Errorf("left are %v with notes %v, %v", c.targets, c.notes, err)
	}
}

func TestAnErrorElsewhereIsAnError(t *testing.T) {
	r := &checker{Options: Options{File: "fuzz_test.go"}, targets: []*plan.FuzzFunc{{Name: "FuzzA"}}}
	if err := r.dropBroken([]byte(twoTargets), []byte("./other_test.go:1:1: no\n")); err == nil || !strings.Contains(err.Error(), "other_test.go:1:1") {
		t.Errorf("the error is %v", err)
	}
}

func TestALineStandsInAFunction(t *testing.T) {
	lines := bytes.Split([]byte(twoTargets), []byte("\n"))
	for n, want := range map[int]string{1: "", 4: "FuzzA", 8: "FuzzB", 100: "FuzzB"} {
		if got := enclosing(lines, n); got != want {
			t.Errorf("line %d stands in %q, want %q", n, got, want)
		}
	}
}

func TestATargetThatMayActIsNotExecuted(t *testing.T) {
	weaker := &plan.FuzzFunc{Name: "FuzzParse", Kind: plan.Parse, Covers: []string{"Parse"}}
	targets := []*plan.FuzzFunc{
		{Name: "FuzzParse", Kind: plan.Print, Covers: []string{"Parse"}, Weaker: weaker},
		{Name: "FuzzCompare", Kind: plan.Laws, Covers: []string{"Compare"}},
	}
	untried := func(*plan.FuzzFunc) string { return "it may call os.Remove" }
	c := &checker{Options: Options{Untried: untried}, targets: targets, untried: map[*plan.FuzzFunc]bool{}}
	c.leaveAlone()
	if len(c.targets) != 1 || c.targets[0] != weaker || !c.untried[weaker] {
		t.Errorf("the targets are %v, want the one that only checks that nothing panics, untried", c.targets)
	}
	want := []Note{
		{"FuzzParse", "Parse", Untried, "", "it may call os.Remove"},
		{"FuzzCompare", "Compare", Dropped, "", "it may call os.Remove, so nothing shows that its property holds"},
	}
	if !slices.Equal(c.notes, want) {
		t.Errorf("the notes are %v, want %v", c.notes, want)
	}
}
