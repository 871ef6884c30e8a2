package proof

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestTheFindingIsRecognizedInTheOutputOfGoTest(t *testing.T) {
	called := []finding.Call{{Func: "m.parse", File: "m.go", Line: 3}}
	for _, tt := range []struct {
		name, output string
		r            finding.Record
		want         bool
	}{
		{"a message", "    x_test.go:3: no 7\nFAIL\n", finding.Record{Kind: finding.Failure, Message: "no 8"}, true},
		{"another message", "    x_test.go:3: yes\nFAIL\n", finding.Record{Kind: finding.Failure, Message: "no 8"}, false},
		{"a build that fails", "x.go:3: no 8\nFAIL\tx [build failed]\n", finding.Record{Kind: finding.Failure, Message: "no 8"}, false},
		{"a package that cannot be loaded", "no 8\nFAIL\tx [setup failed]\n", finding.Record{Kind: finding.Failure, Message: "no 8"}, false},

		{"a panic", "panic: no [recovered, repanicked]\n", finding.Record{Kind: finding.Panic, Message: "no"}, true},
		{"a panic with a number", "panic: 3 [recovered, repanicked]\n", finding.Record{Kind: finding.Panic, Message: "1"}, true},
		{"another panic than one with a number", "panic: no\n\ngoroutine 7 [running]:\n", finding.Record{Kind: finding.Panic, Message: "1"}, false},
		{"a panic with a named number", "panic: m.N(3) [recovered]\n", finding.Record{Kind: finding.Panic, Message: "m.N(1)"}, true},
		{"a panic with a struct", "panic: (m.e) 0x6240f0 [recovered]\n", finding.Record{Kind: finding.Panic, Message: "(m.e) {1 2}"}, true},
		{"a panic with another struct", "panic: (m.f) 0x6240f0 [recovered]\n", finding.Record{Kind: finding.Panic, Message: "(m.e) {1 2}"}, false},

		{"no message, by the function", "m.parse(0x1)\n\tm.go:9\nFAIL\n", finding.Record{Kind: finding.Panic, Calls: called}, true},
		{"no message, another function", "m.print(0x1)\n\tm.go:9\nFAIL\n", finding.Record{Kind: finding.Panic, Calls: called}, false},
		{"no message and no stack", "FAIL\n", finding.Record{Kind: finding.Signal}, true},

		{"a hang", "panic: test timed out after 30s\n", finding.Record{Kind: finding.Hang, Message: "10s"}, true},
		{"no hang", "panic: no\n", finding.Record{Kind: finding.Hang, Message: "no"}, false},

		{"a failure without a word", "--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/a (0.00s)\n        x_test.go:9: \nFAIL\n", finding.Record{Kind: finding.Failure, Calls: called}, true},
		{"a panic in place of a failure without a word", "--- FAIL: FuzzX (0.00s)\npanic: no [recovered]\nFAIL\n", finding.Record{Kind: finding.Failure}, false},
		{"a build that fails in place of a failure without a word", "x.go:3: undefined: y\nFAIL\tx [build failed]\n", finding.Record{Kind: finding.Failure}, false},
	} {
		if c := (GoCommand{Record: tt.r, Dir: t.TempDir()}); c.shows(tt.output) != tt.want {
			t.Errorf("%s: that the output shows it is %v:\n%s", tt.name, !tt.want, tt.output)
		}
	}
}

func TestAnExitIsRecognized(t *testing.T) {
	exit := GoCommand{Record: finding.Record{Kind: finding.Exit, Message: "exit status 1"}, Dir: t.TempDir()}
	for output, want := range map[string]bool{
		"exit status 3\nFAIL\tx\t0.003s\nFAIL\n":                                                true,
		"2026/11/25 13:00:00 no line\nFAIL\tx\t0.003s\nFAIL\n":                                  true,
		"panic: is what it says\nFAIL\tx\t0.003s\nFAIL\n":                                       true,
		"--- FAIL: FuzzX (0.00s)\n    x_test.go:9: no\nFAIL\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"panic: no\n\ngoroutine 7 [running]:\nx.f()\n\t/x/x.go:1 +0x1\nFAIL\tx\t0.003s\nFAIL\n": false,
		"fatal error: all goroutines are asleep - deadlock!\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"x.go:3: undefined: y\nFAIL\tx [build failed]\n":                                        false,
	} {
		if exit.shows(output) != want {
			t.Errorf("that this is an exit is %v:\n%s", !want, output)
		}
	}
}

// Two bugs may say the same in two functions. Lines of a function change from commit to commit, and so do the numbers of its closures.
func TestTheSameWordsInAnotherFunctionAreAnotherFinding(t *testing.T) {
	dir := t.TempDir()
	const source = "package m\n\nfunc FuzzX() {\n\tcheck()\n}\n\nfunc FuzzY() {\n\tcheck()\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	panics := func(frames string) string {
		return "--- FAIL: FuzzX (0.00s)\npanic: index out of range [2] with length 0 [recovered, repanicked]\n\ngoroutine 7 [running]:\n" +
			"testing.tRunner.func1.2({0x1, 0x2})\n\t/go/src/testing/testing.go:1974 +0x1\ntesting.tRunner.func1()\n\t/go/src/testing/testing.go:1977 +0x1\n" +
			"panic({0x1, 0x2})\n\t/go/src/runtime/panic.go:860 +0x1\n" + frames + "testing.tRunner(0x1, 0x2)\n\t/go/src/testing/testing.go:2036 +0x1\nFAIL\n"
	}
	logs := func(lines string) string {
		return "--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/a (0.00s)\n" + lines + "FAIL\n"
	}
	at := func(kind finding.Kind, message, function string) finding.Record {
		return finding.Record{Kind: kind, Message: message, Package: "example.com/m", Calls: []finding.Call{{Func: function, File: "x.go", Line: 3}}}
	}
	const outOfRange = "index out of range [7] with length 3"
	for _, tt := range []struct {
		name, output string
		r            finding.Record
		want         bool
	}{
		{"a panic in the function", panics("example.com/m.first(...)\n\t/t/p.go:99\n"), at(finding.Panic, outOfRange, "example.com/m.first"), true},
		{"a panic in another function", panics("example.com/m.second(...)\n\t/t/p.go:99\n"), at(finding.Panic, outOfRange, "example.com/m.first"), false},
		{"a panic in the function of a module with another path", panics("example.com/old.first(...)\n\t/t/p.go:99\n"), at(finding.Panic, outOfRange, "example.com/new/old.first"), true},
		{"a panic in another closure of the function", panics("example.com/m.first.func2(...)\n\t/t/p.go:99\n"), at(finding.Panic, outOfRange, "example.com/m.first.func1.1"), true},
		{"a panic below the standard library in another function", panics("strings.Repeat({0x1, 0x2})\n\t/go/src/strings/strings.go:600\nexample.com/m.second(...)\n\t/t/p.go:99\n"), at(finding.Panic, outOfRange, "example.com/m.first"), false},
		{"a failure in another line of the function", logs("        x_test.go:4: is bad\n"), at(finding.Failure, "is bad", "example.com/m.FuzzX"), true},
		{"a failure in another function", logs("        x_test.go:8: is bad\n"), at(finding.Failure, "is bad", "example.com/m.FuzzX"), false},
		{"a failure in both", logs("        x_test.go:8: is bad\n        x_test.go:4: is bad\n"), at(finding.Failure, "is bad", "example.com/m.FuzzX"), true},
		{"a failure in a file of another package", logs("        check.go:8: is bad\n"), at(finding.Failure, "is bad", "example.com/m/check.Even"), true},
	} {
		if c := (GoCommand{Record: tt.r, Root: dir, Dir: dir}); c.shows(tt.output) != tt.want {
			t.Errorf("%s: that the output shows it is %v:\n%s", tt.name, !tt.want, tt.output)
		}
	}
}

func TestWhatGoTestPrintsOfOneInput(t *testing.T) {
	head := "=== RUN   FuzzX\n=== RUN   FuzzX/1f\n"
	for _, tt := range []struct {
		name, output string
		kind         finding.Kind
		message      string
	}{
		{"a panic", head + "--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/1f (0.00s)\npanic: boom [recovered, repanicked]\n\ngoroutine 7 [running]:\n" +
			"panic({0x1?, 0x2?})\n\t/go/src/runtime/panic.go:1 +0x1\nexample.com/p.Parse(...)\n\t/p/p.go:8\n", finding.Panic, "boom"},
		{
			"the runtime", head + "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/p/p.go:8\n", finding.Fatal,
			"fatal error: all goroutines are asleep - deadlock!",
		},
		{"t.Error", head + "    p_test.go:9: differs\n--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/1f (0.00s)\nFAIL\n", finding.Failure, "differs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Said(tt.output); got.Kind != tt.kind || got.Message != tt.message {
				t.Errorf("it is a %v with the message %q, want a %v with %q", got.Kind, got.Message, tt.kind, tt.message)
			}
		})
	}
}
