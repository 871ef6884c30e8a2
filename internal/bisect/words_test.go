package bisect

import (
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
		if b := (trial{Record: tt.r}); b.isThis(tt.output) != tt.want {
			t.Errorf("%s: that the output shows it is %v:\n%s", tt.name, !tt.want, tt.output)
		}
	}
}

func TestAnExitIsRecognized(t *testing.T) {
	exit := trial{Record: finding.Record{Kind: finding.Exit, Message: "exit status 1"}}
	for output, want := range map[string]bool{
		"exit status 3\nFAIL\tx\t0.003s\nFAIL\n":                                                true,
		"2026/11/25 13:00:00 no line\nFAIL\tx\t0.003s\nFAIL\n":                                  true,
		"panic: is what it says\nFAIL\tx\t0.003s\nFAIL\n":                                       true,
		"--- FAIL: FuzzX (0.00s)\n    x_test.go:9: no\nFAIL\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"panic: no\n\ngoroutine 7 [running]:\nx.f()\n\t/x/x.go:1 +0x1\nFAIL\tx\t0.003s\nFAIL\n": false,
		"fatal error: all goroutines are asleep - deadlock!\nFAIL\tx\t0.003s\nFAIL\n":           false,
		"x.go:3: undefined: y\nFAIL\tx [build failed]\n":                                        false,
	} {
		if exit.isThis(output) != want {
			t.Errorf("that this is an exit is %v:\n%s", !want, output)
		}
	}
}
