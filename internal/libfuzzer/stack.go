package libfuzzer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Lines of the output of a failure.
var (
	frame     = regexp.MustCompile(`^[^\s()]+(\(\*[^\s()]+\))?[^\s()]*\(.*\)$`) // the function of a frame
	place     = regexp.MustCompile(`^\S.*\.(go|s):\d+( \+0x[0-9a-f]+)?$`)       // the place of a frame
	logged    = regexp.MustCompile(`^[^\s:]+\.go:\d+: (panic: )`)               // what package testing writes before a panic
	goroutine = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:$`)
)

// readable returns the output of a failure as ClusterFuzz reads it: a panic begins its line, stacks are not indented, begin with what
// panicked, and have no question marks in their arguments. A failure without a stack has one of the frames that are known.
func readable(f *finding.Finding) string {
	var lines []string
	isStack := false
	for line := range strings.Lines(report.Escape(finding.Clean(f.Output))) {
		line = logged.ReplaceAllString(strings.TrimSpace(line), "$1")
		switch {
		case frame.MatchString(line):
			isStack, line = true, strings.ReplaceAll(line, "?", "")
		case place.MatchString(line) && isStack:
			line = "\t" + line
		}
		lines = append(lines, line)
	}
	text := strings.Join(withoutHandling(lines), "\n") + "\n"
	if calls := f.Calls(); !isStack && len(calls) > 0 {
		text += fmt.Sprintf("panic: %s\n\ngoroutine 1 [running]:\n%s", report.Line(f.Message), finding.Stack(calls))
	}
	return text
}

// withoutHandling returns lines without the frames that deal with a panic, which stand before what panicked.
func withoutHandling(lines []string) []string {
	from := slices.IndexFunc(lines, goroutine.MatchString) + 1
	if from == 0 {
		return lines
	}
	to := slices.IndexFunc(lines[from:], func(line string) bool { return strings.HasPrefix(line, "panic(") })
	if to < 0 || slices.Contains(lines[from:from+to], "") || from+to+2 > len(lines) {
		return lines
	}
	return slices.Delete(slices.Clone(lines), from, from+to+2)
}
