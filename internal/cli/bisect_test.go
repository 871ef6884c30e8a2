package cli

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestBisectRecognizesAFailureWithoutAWord(t *testing.T) {
	b := trial{Record: finding.Record{Kind: finding.Failure, Target: "FuzzX", Calls: []finding.Call{{File: "x_test.go", Line: 3}}}}
	if !b.isThis("--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/a (0.00s)\n        x_test.go:9: \nFAIL\n") {
		t.Error("bisect does not recognize it")
	}
	if b.isThis("--- FAIL: FuzzX (0.00s)\npanic: no [recovered]\nFAIL\n") || b.isThis("x.go:3: undefined: y\nFAIL\tx [build failed]\n") {
		t.Error("bisect takes another failure for it")
	}
}

func TestBisectRecognizesAnExit(t *testing.T) {
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
