package coordinator

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// hostResult puts all failures and an error into one result. Package testing prints its text and, below that, where the input
// of a failure is and how to run it again; all failures but the last one have that in the text.
func hostResult(target string, out engine.Outcome, err error) (r host.Result) {
	findings := out.Findings
	if len(findings) == 0 && len(out.OverLimit) > 0 && err == nil {
		findings = append(findings, out.OverLimit[0])
	}
	var text strings.Builder
	for i, f := range findings {
		if f.Why != "" {
			text.WriteString(outputOf(f) + "\n" + unwritten(target, f))
			continue
		}
		if i == len(findings)-1 && err == nil {
			r.CrashPath = f.Path
			text.WriteString(outputOf(f))
			break
		}
		text.WriteString(outputOf(f) + "\n")
		if f.Path != "" { // otherwise it is a seed
			fmt.Fprintf(&text, "Failing input written to %s\nTo re-run:\ngo test -run=%s/%s\n\n", f.Path, target, filepath.Base(f.Path))
		}
	}
	if err != nil {
		text.WriteString(report.Escape(err.Error()))
	}
	r.Error = text.String()
	return r
}

// outputOf is what package testing prints of a failure. It prints what a T has logged as it is, and nothing else of what a target prints.
func outputOf(f *finding.Finding) string {
	switch f.Kind {
	case finding.Panic, finding.Failure, finding.Goexit:
		return f.Output
	}
	return report.Escape(f.Output)
}

// unwritten says why the input of a finding is not where go test runs it, and where it is.
func unwritten(target string, f *finding.Finding) string {
	text := fmt.Sprintf("The failing input could not be written to testdata/fuzz/%s, where go test runs it: %s\n", target, f.Why)
	if f.Kept != "" {
		return text + fmt.Sprintf("It was written to %s\nTo run it with go test, copy that file to testdata/fuzz/%s of the package\n\n", f.Kept, target)
	}
	return text + fmt.Sprintf("This is its content:\n%s\n", input.Marshal(f.Input))
}
