package proof

import (
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxSame is how many bytes of the words of two messages are compared: what is before the message differs in length.
const maxSame = 80

// shows reports whether the output of go test shows the finding, and not another failure: by the words of its message and the function of its
// place, as far as both are known.
func (c GoCommand) shows(output string) bool {
	r := c.Record
	switch {
	case strings.Contains(output, "[build failed]") || strings.Contains(output, "[setup failed]"):
		return false
	case r.Kind == finding.Hang:
		return strings.Contains(output, "panic: test timed out")
	case r.Kind == finding.Exit: // go test prints the exit code only if the target prints nothing
		sig, _ := finding.OfProcess(output, finding.Unknown)
		return sig.Kind == finding.Unknown && !strings.Contains(output, "--- FAIL: ")
	case r.Kind == finding.Failure && r.Message == "": // t.Fatal()
		return strings.Contains(output, "--- FAIL: ") && !strings.Contains(output, "panic: ")
	}
	if words := c.words(); words != "" {
		says := slices.ContainsFunc(strings.Split(output, "\n"), func(line string) bool { return strings.Contains(finding.Words(line), words) })
		return says && c.inPlace(words, output)
	}
	if len(r.Calls) == 0 {
		return strings.Contains(output, "FAIL")
	}
	return strings.Contains(output, r.Calls[0].Func+"(")
}

// inPlace reports whether a failure with the words of the finding is in the same function, which may be in another line. It is taken for that if
// the output does not show the function.
func (c GoCommand) inPlace(words, output string) bool {
	r := c.Record
	switch r.Kind {
	case finding.Panic:
		return c.sameFunction(finding.Calls(finding.Fatal, output))
	case finding.Failure:
		source := report.Source{Root: c.Root, Package: r.Package, Dir: c.Dir}
		elsewhere := false
		for _, said := range finding.AllLogged(output) {
			if !strings.Contains(finding.Words(said.Text), words) {
				continue
			}
			if c.sameFunction(source.Locate(said.Calls)) {
				return true
			}
			elsewhere = true
		}
		return !elsewhere
	}
	return true
}

// sameFunction reports whether calls lead to the function of the finding, or one of the two is not known. Closures count as the function that
// they are in, because their numbers change with the code before them, and the path of the module does not count.
func (c GoCommand) sameFunction(calls []finding.Call) bool {
	want, ok := report.Main(c.Record.Calls)
	got, known := report.Main(calls)
	if !ok || !known || want.Func == "" || got.Func == "" {
		return true
	}
	function := func(name string) string {
		name, _, _ = strings.Cut(report.ShortFunc(name), ".func")
		return name
	}
	return function(want.Func) == function(got.Func)
}

// words returns the words that a line of the output has if it shows the finding; empty: the finding has no message.
func (c GoCommand) words() string {
	message := c.Record.Message
	if c.Record.Kind == finding.Panic && message != "" {
		if typ, _, ok := strings.Cut(message, ") "); ok && strings.HasPrefix(typ, "(") {
			message = typ + ")" // of a composite value go test prints the type and the address
		}
		message = "panic: " + message // which may be a number only
	}
	words := finding.Words(message)
	return words[:min(maxSame, len(words))]
}

// Said describes the failure of one input that plain go test -v has run, by what it printed. A panic has ended the process, with a remark of
// package testing behind its message. The input and the proof of the finding are empty.
func Said(output string) *finding.Finding {
	sig, message := finding.OfProcess(output, finding.Unknown)
	if sig.Kind == finding.Unknown {
		return Failed(nil, output, 0)
	}
	if text, of, found := strings.Cut(message, " [recovered"); found && strings.HasSuffix(of, "]") {
		sig.Kind, message = finding.Panic, text
	}
	f := &finding.Finding{Kind: sig.Kind, Place: sig.Place, Message: message}
	f.SetOutput(finding.Clean(output))
	return f
}
