package notify

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// message is the body of a request. Slack and Mattermost show the text. Other programs read Gnaw.
type message struct {
	Text string  `json:"text"`
	Gnaw details `json:"gnaw"`
}

// details are the fields for programs. docs/notify.md describes them.
type details struct {
	Event  string     `json:"event"` // "finding", "end" or "test"
	Module string     `json:"module"`
	Bug    *bug       `json:"finding,omitempty"`
	End    *event.End `json:"end,omitempty"`
}

// bug has the fields of a finding. They have the names and meanings of `gnaw findings -json`.
type bug struct {
	ID      string    `json:"id"`
	Short   string    `json:"short_id"`
	Kind    string    `json:"kind"`
	Message string    `json:"message"`
	Place   string    `json:"place"`
	Package string    `json:"package"`
	Target  string    `json:"target"`
	Path    string    `json:"path"`
	Rerun   string    `json:"rerun"`
	First   time.Time `json:"first_seen"`
	Go      string    `json:"go"`
	Commit  string    `json:"commit,omitempty"`
	Module  string    `json:"dependency,omitempty"` // as in "example.com/dep@v1.2.0"; empty: the finding is of the main module
	Size    int       `json:"size"`
	Input   []string  `json:"literals,omitempty"` // only with -notify-input; long ones are cut
}

// maxInput is the number of bytes of the input in a message. Slack shows at most 40,000 characters of a text.
const maxInput = 2000

// ofFinding returns the message about a finding.
func (o Options) ofFinding(e event.Finding) message {
	b := &bug{
		ID: e.ID, Short: e.Short, Kind: e.Kind.String(), Message: e.Message, Place: o.place(e), Package: e.Package, Target: e.Target,
		Path: e.Path, Rerun: e.Rerun, First: e.First.UTC(), Go: e.Go, Commit: e.Commit, Size: e.Size,
	}
	in := e.Package
	if d := e.Dependency; d != nil {
		b.Module = d.Module + "@" + d.Version
		in += ", a dependency"
	}
	var t strings.Builder
	fmt.Fprintf(&t, "gnaw found a bug in %s of %s: %s %s", Code(e.Target), Code(in), Code(b.Kind), Code(report.Line(e.Title())))
	if b.Place != "" {
		fmt.Fprintf(&t, " at %s", Code(report.Line(b.Place)))
	}
	fmt.Fprintf(&t, "\n%s", Code(e.Rerun))
	if o.Input {
		for _, l := range e.Literals {
			b.Input = append(b.Input, report.Shorten(l, maxInput))
		}
		if len(b.Input) > 0 {
			fmt.Fprintf(&t, "\ninput: %s", Code(report.Shorten(strings.Join(b.Input, ", "), maxInput)))
		}
	}
	return message{t.String(), details{Event: "finding", Module: o.Module, Bug: b}}
}

// place returns the file and line of a finding, or "" if they are not known. The path of a file of the module is relative to the root of the
// module.
func (o Options) place(e event.Finding) string {
	if c, ok := report.Main(e.Calls); ok {
		return fmt.Sprintf("%s:%d", c.File, c.Line)
	}
	return e.Place
}

// ofEnd returns the message about the end of a campaign. seen is the number of its findings that earlier campaigns found.
func (o Options) ofEnd(e event.End, seen int) message {
	var t strings.Builder
	fmt.Fprintf(&t, "gnaw has fuzzed %s of %s for %v: %s, in %s", report.Plural(e.Targets, "target"), Code(o.Module),
		time.Duration(e.Seconds*float64(time.Second)).Round(time.Second), report.Plural(e.Findings, "bug"), report.Plural(e.Buggy, "target"))
	if seen > 0 {
		fmt.Fprintf(&t, "; earlier campaigns found %d of them", seen)
	}
	return message{t.String(), details{Event: "end", Module: o.Module, End: &e}}
}

// ofTest returns the message that tests whether messages arrive.
func (o Options) ofTest() message {
	return message{fmt.Sprintf("gnaw fuzz sends messages about bugs in %s here", Code(o.Module)), details{Event: "test", Module: o.Module}}
}

// body returns a message as JSON.
func (m message) body() []byte {
	text, err := json.Marshal(m)
	if err != nil { // only if a number is infinite; no campaign reports one
		text, _ = json.Marshal(message{Text: m.Text, Gnaw: details{Event: m.Gnaw.Event, Module: m.Gnaw.Module}})
	}
	return text
}

// codeEscapes replaces the characters that have a meaning in code. Code cannot contain a back quote, so a similar letter replaces it. A message
// contains a command, and the letter has no meaning for a shell.
var codeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "\u02cb", "\n", " ", "\t", " ")

// Code returns text as code in a message, so that Slack and Mattermost show it as it is: nothing in it is a mention, a link, an emoji or a
// format. Control characters are escaped as in a Go string. Text without visible characters becomes empty.
func Code(text string) string {
	text = strings.TrimSpace(codeEscapes.Replace(report.Escape(text)))
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
