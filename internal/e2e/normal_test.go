package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// frame is a function in a stack: its name and its arguments.
var frame = regexp.MustCompile(`^\s*(?:created by )?([\w./*()\[\]·…-]+?)(\(.*\)| in goroutine \d+)?$`)

// place is the line of a stack below a function.
var place = regexp.MustCompile(`^\s*\t?\S+\.(?:go|s):\d+(?: \+0x[0-9a-f]+)?$`)

// ofTheEngine are the beginnings of the names of functions between the engine and the target.
var ofTheEngine = []string{"internal/fuzz", "testing.", "reflect.", "runtime/debug.", "runtime.", "main.main", "panic"}

// rewrites make equal what differs from run to run.
var rewrites = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\(\d+\.\d+s\)`), "(TIME)"},
	{regexp.MustCompile(`(?m)\t\d+\.\d+s$`), "\tTIME"},
	{regexp.MustCompile(`0x[0-9a-f]+`), "0xHEX"},
	{regexp.MustCompile(`goroutine \d+`), "goroutine N"},
	{regexp.MustCompile(`go-build\d+`), "go-buildN"},
	{regexp.MustCompile(`(?m)^(?:fuzz: |warning: starting with empty corpus).*\n`), ""},
	{regexp.MustCompile(` \[recovered(?:, repanicked)?\]`), ""},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
	{regexp.MustCompile(`\n{2,}`), "\n"},
	// Where the target calls os.Exit is told by gnaw only.
	{regexp.MustCompile(`(?m)^ *gnaw: os\.Exit\(\d+\)\n *goroutine N \[running\]:\n(?: *\S+\n[ \t]*\S+\.go:\d+(?: \+0xHEX)?\n)*`), ""},
}

// normal is the output of a run without what may differ between two engines, or between two runs of one: status lines,
// durations, addresses, numbers of goroutines, and functions of the engine in stacks.
func normal(output string) string {
	var kept []string
	lines := strings.Split(output, "\n")
	for i := 0; i < len(lines); i++ {
		m := frame.FindStringSubmatch(lines[i])
		if m == nil || i+1 == len(lines) || !place.MatchString(lines[i+1]) {
			kept = append(kept, lines[i])
			continue
		}
		if !hasAnyPrefix(m[1], ofTheEngine) {
			kept = append(kept, strings.TrimSuffix(lines[i], m[2]), lines[i+1])
		}
		i++
	}
	text := strings.Join(kept, "\n")
	for _, r := range rewrites {
		text = r.from.ReplaceAllString(text, r.to)
	}
	return strings.TrimSpace(text)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func TestNormalKeepsTheTargetsPartOfAStack(t *testing.T) {
	in := `fuzz: elapsed: 0s, gathering baseline coverage: 0/1 completed
--- FAIL: FuzzX (0.04s)
    --- FAIL: FuzzX (0.00s)
        testing.go:1927: panic: boom
            goroutine 22 [running]:
            runtime/debug.Stack()
            	/usr/local/go/src/runtime/debug/stack.go:26 +0x9b
            panic({0x641a00?, 0x6a9090?})
            	/usr/local/go/src/runtime/panic.go:860 +0x13a
            example.com/play.FuzzX.func1(0x54e85a?, {0x3c11c1c9c780, 0x3})
            	/tmp/e2eplay/p/p_test.go:9 +0x136
            internal/fuzz/gnaw/probe/invoke.call1[...].func1({0x3c11c1cbaab0, 0x3c11c1d9e780?, 0x3c11c1d8c070?})
            	/usr/local/go/src/internal/fuzz/gnaw/probe/invoke/invoke.go:138 +0x53
            created by testing.(*F).Fuzz.func1 in goroutine 21
            	/usr/local/go/src/testing/fuzz.go:328 +0x668
            
    
FAIL
FAIL	example.com/play	0.060s
`
	want := `--- FAIL: FuzzX (TIME)
    --- FAIL: FuzzX (TIME)
        testing.go:1927: panic: boom
            goroutine N [running]:
            example.com/play.FuzzX.func1
            	/tmp/e2eplay/p/p_test.go:9 +0xHEX
FAIL
FAIL	example.com/play	TIME`
	if got := normal(in); got != want {
		t.Errorf("normal:\n%s\nwant:\n%s", got, want)
	}
}
