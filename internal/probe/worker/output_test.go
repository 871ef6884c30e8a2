package worker

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestALongOutputKeepsWhatFailed(t *testing.T) {
	const line, failure, last = "    x.go:1: some words\n", "    x.go:2: this is it\n", "    x.go:3: the end\n"
	lines := func(bytes int) string { return strings.Repeat(line, bytes/len(line)) }
	long := strings.Repeat("        more of it: at x.go:7: and so on\n", 2*maxOutput/40)
	for _, tt := range []struct {
		name                   string
		before, failure, after string
		unknown                bool // which line it was
		gaps                   int
	}{
		{"a short one", line, failure, line, false, 0},
		{"as long as it may be", "", failure, strings.Repeat("x", maxOutput-len(failure)-len(last)-1) + "\n", false, 0},
		{"the first line", "", failure, lines(2 * maxOutput), false, 1},
		{"in the midst", lines(2 * maxOutput), failure, lines(3 * maxOutput), false, 2},
		{"near the beginning", lines(maxOutput / 9), failure, lines(2 * maxOutput), false, 1},
		{"at the end", lines(2 * maxOutput), failure, "", false, 1},
		{"behind one long line", strings.Repeat("x", 2*maxOutput) + "\n", failure, lines(2 * maxOutput), false, 2},
		{"of many lines", lines(2 * maxOutput), failure + long, lines(2 * maxOutput), false, 3},
		{"which is not known", lines(2 * maxOutput), failure, lines(2 * maxOutput), true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := outcome{failed: true, output: tt.before + tt.failure + tt.after + last, logged: strings.Count(tt.before+tt.failure, "\n")}
			if tt.unknown {
				o.logged = 0
			}
			got := o.clip()
			if n := strings.Count(got.output, "bytes are left out"); n != tt.gaps || !got.failed || len(got.output) > maxOutput {
				t.Errorf("%d bytes became %d with %d gaps, want %d gaps", len(o.output), len(got.output), n, tt.gaps)
			}
			if tt.gaps == 0 && got != o {
				t.Error("what is short enough is changed")
			}
			until := got.output[:lineStart(got.output, got.logged)]
			if rest := until[lastPlace(until):]; !tt.unknown && (!strings.HasPrefix(rest, failure) || !strings.HasSuffix(rest, tt.failure[max(0, len(tt.failure)-99):])) {
				t.Errorf("line %d became %d, and what failed is %.40q", o.logged, got.logged, rest)
			}
			if head := o.output[:min(len(o.output), maxOutput/8)]; !strings.HasPrefix(got.output, head) || !strings.HasSuffix(got.output, last) || tt.unknown && got.logged != 0 {
				t.Errorf("the output is %.40q …, %d", got.output, got.logged)
			}
		})
	}
}

// A cut in the midst of a character leaves no half of it.
func TestALongOutputStaysText(t *testing.T) {
	for i := range 3 {
		got := outcome{output: strings.Repeat("x", i) + strings.Repeat("€", maxOutput)}.clip()
		if !utf8.ValidString(got.output) {
			t.Errorf("behind %d bytes it is no text any more", i)
		}
	}
}

func TestWhatATLogsIsClipped(t *testing.T) {
	x := newExecutor(func(func(*testing.T, func(func(func()) bool) bool)) (bool, string, int) {
		return false, strings.Repeat("much ", maxOutput), 0
	}, func() {}, nil)
	go x.wait()
	t.Cleanup(x.close)
	if out := x.do(nil); !out.failed || len(out.output) > maxOutput {
		t.Errorf("failed is %v, with %d bytes of output", out.failed, len(out.output))
	}
}
