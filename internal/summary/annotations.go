package summary

import (
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxAnnotations is the number of annotations of each level that GitHub shows of one step of a job.
const maxAnnotations = 10

// Annotations returns commands for GitHub Actions, one a line, that show the findings of a campaign in the changed files: bugs and targets without a
// result first, then findings that do not count. Known findings are left out. There are at most ten commands, of which the last one says how many more there
// would be.
func Annotations(o Options) (list []string) {
	s := newSummary(o)
	var flaky []string
	for _, f := range s.findings {
		at, title := s.siteOf(f), fmt.Sprintf("gnaw: %s in %s", f.Kind, clean(f.Record.Target, maxTextReason))
		switch board.OutcomeOf(f) {
		case board.Flaky:
			flaky = append(flaky, annotation("notice", at, title, s.message(f)))
		case board.Bug:
			level := "error"
			if f.Dependency != nil {
				level = "warning"
			}
			list = append(list, annotation(level, at, title, s.message(f)))
		}
	}
	for _, m := range s.failing {
		list = append(list, annotation("error", site{}, "gnaw: "+about(m.Name), m.explained()))
	}
	for _, m := range s.missed {
		level := "error"
		switch {
		case m.result == event.Skip || !s.isOwn(m.Package):
			continue
		case m.result == event.Unreached:
			level = "warning"
		}
		list = append(list, annotation(level, site{}, "gnaw: "+about(m.Name), m.explained()))
	}
	list = append(list, flaky...)
	if n := len(list) - (maxAnnotations - 1); n > 1 {
		more := fmt.Sprintf("GitHub shows ten annotations of a step. There would be %s more; the summary of the job and gnaw findings have them.", report.Plural(n, "annotation"))
		list = append(list[:maxAnnotations-1], annotation("warning", site{}, "gnaw", more))
	}
	return list
}

// Escapes of a command of GitHub Actions: for its message, and for the values before it.
var (
	commandData  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandValue = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotation returns the command of an annotation. Without a file it belongs to the step.
func annotation(level string, at site, title, text string) string {
	place := ""
	if at.file != "" {
		place = fmt.Sprintf("file=%s,line=%d,", commandValue.Replace(at.file), at.line)
	}
	return fmt.Sprintf("::%s %stitle=%s::%s", level, place, commandValue.Replace(title), commandData.Replace(text))
}
