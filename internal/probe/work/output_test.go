package work

import (
	"strings"
	"testing"
)

func TestALongOutputKeepsTheLineThatFailed(t *testing.T) {
	const line, failure, last = "    x.go:1: some words\n", "    x.go:2: this is it\n", "    x.go:3: the end\n"
	lines := func(bytes int) string { return strings.Repeat(line, bytes/len(line)) }
	for _, tt := range []struct {
		name          string
		before, after string
		unknown       bool // which line it was
		gaps          int
	}{
		{"a short one", line, line, false, 0},
		{"as long as it may be", "", strings.Repeat("x", maxOutput-len(failure)-len(last)-1) + "\n", false, 0},
		{"the first line", "", lines(2 * maxOutput), false, 1},
		{"in the midst", lines(2 * maxOutput), lines(3 * maxOutput), false, 2},
		{"near the beginning", lines(maxOutput / 3), lines(2 * maxOutput), false, 1},
		{"at the end", lines(2 * maxOutput), "", false, 1},
		{"behind one long line", strings.Repeat("x", 2*maxOutput) + "\n", lines(2 * maxOutput), false, 2},
		{"which is not known", lines(2 * maxOutput), lines(2 * maxOutput), true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := outcome{failed: true, output: tt.before + failure + tt.after + last, logged: strings.Count(tt.before, "\n")}
			if tt.unknown {
				o.logged = 0
			}
			got := o.clip()
			if n := strings.Count(got.output, "bytes are left out"); n != tt.gaps || !got.failed || len(got.output) > maxOutput+100*n {
				t.Errorf("%d bytes became %d with %d gaps, want %d gaps", len(o.output), len(got.output), n, tt.gaps)
			}
			if tt.gaps == 0 && got != o {
				t.Error("what is short enough is changed")
			}
			if rest := got.output[lineStart(got.output, got.logged):]; !tt.unknown && !strings.HasPrefix(rest, failure) {
				t.Errorf("line %d became %d, which is %.40q", o.logged, got.logged, rest)
			}
			if head := o.output[:min(len(o.output), maxOutput/4)]; !strings.HasPrefix(got.output, head) || !strings.HasSuffix(got.output, last) || tt.unknown && got.logged != 0 {
				t.Errorf("the output is %.40q …, %d", got.output, got.logged)
			}
		})
	}
}

func TestWhatATLogsIsClipped(t *testing.T) {
	x := newExecutor(func(func(*testing.T, func() bool)) (bool, string, int) {
		return false, strings.Repeat("much ", maxOutput), 0
	}, func() {})
	if out := x.do(callOnce, nil); !out.failed || len(out.output) > maxOutput {
		t.Errorf("failed is %v, with %d bytes of output", out.failed, len(out.output))
	}
}
