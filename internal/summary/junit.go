package summary

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// The types below are the elements of the XML of JUnit.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Timestamp string       `xml:"timestamp,attr"`
		Cases     []*junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int     `xml:"tests,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Skipped  int     `xml:"skipped,attr"`
		Time     seconds `xml:"time,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    seconds      `xml:"time,attr"`
		Failure *junitDetail `xml:"failure"`
		Error   *junitDetail `xml:"error"`
		Skipped *junitDetail `xml:"skipped"`
		Out     *junitText   `xml:"system-out"`
	}
	junitDetail struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		junitText
	}
	junitText struct {
		Text string `xml:",cdata"`
	}
	seconds float64
)

// MarshalXMLAttr writes a time with milliseconds.
func (s seconds) MarshalXMLAttr(name xml.Name) (xml.Attr, error) {
	return xml.Attr{Name: name, Value: fmt.Sprintf("%.3f", float64(s))}, nil
}

// JUnit writes the targets of a campaign as test cases in the XML of JUnit, with a suite for each package. A bug is a failure. A target that was not
// fuzzed is an error, and one that skips itself is skipped. Findings that do not count are the output of a test case that passes.
func JUnit(w io.Writer, o Options) error {
	s := newSummary(o)
	all := junitSuites{Name: "gnaw " + xmlText(s.Campaign.Module)}
	var suite *junitSuite
	for _, v := range s.verdicts() {
		if name := xmlText(v.Package); suite == nil || suite.Name != name {
			suite = &junitSuite{Name: name, Timestamp: s.Campaign.Start.UTC().Format("2006-01-02T15:04:05")}
			all.Suites = append(all.Suites, suite)
		}
		c := s.junitCase(v)
		suite.Cases = append(suite.Cases, c)
		suite.count(c)
		all.count(c)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	err := enc.Encode(all)
	if err == nil {
		b.WriteByte('\n')
		_, err = w.Write(b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write the XML of JUnit: %w", err)
	}
	return nil
}

// count counts a test case.
func (n *junitCounts) count(c *junitCase) {
	n.Tests++
	n.Time += c.Time
	switch {
	case c.Failure != nil:
		n.Failures++
	case c.Error != nil:
		n.Errors++
	case c.Skipped != nil:
		n.Skipped++
	}
}

// verdict is what the campaign says about one target, or about a package whose targets are not known.
type verdict struct {
	fuzz.Name
	time           seconds
	shown          int             // bugs that the target shows
	findings, rest []event.Finding // that the target has shown first: those that count, and the others
	missed         *missed         // why there is no result, or that plain go test fails; nil: neither
}

// verdicts returns the verdicts in the order of packages and targets.
func (s *summary) verdicts() (list []*verdict) {
	byName := map[fuzz.Name]*verdict{}
	of := func(n fuzz.Name) *verdict {
		if byName[n] == nil {
			byName[n] = &verdict{Name: n}
			list = append(list, byName[n])
		}
		return byName[n]
	}
	for _, t := range s.board.Targets {
		v := of(t.Subject.Target())
		v.time, v.shown = seconds(t.Seconds), t.Bugs
	}
	for _, m := range slices.Concat(s.failing, s.missed) {
		of(m.Name).missed = &m
	}
	for _, f := range s.findings {
		t := board.TargetOf(f)
		v := of(t.Target())
		if f.IsBug() {
			v.findings = append(v.findings, f)
		} else {
			v.rest = append(v.rest, f)
		}
	}
	slices.SortFunc(list, func(a, b *verdict) int { return a.Name.Compare(b.Name) })
	return list
}

// junitCase returns a test case.
func (s *summary) junitCase(v *verdict) *junitCase {
	c := &junitCase{Class: xmlText(v.Package), Name: cmp.Or(xmlText(v.Func), "all targets"), Time: v.time}
	if len(v.rest) > 0 {
		c.Out = &junitText{s.blocks(v.rest)}
	}
	m := v.missed
	switch {
	case len(v.findings) > 0:
		f := v.findings[0]
		more := ""
		if n := len(v.findings); n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		c.Failure = &junitDetail{xmlText(report.Line(f.Title()) + more), f.Kind.String(), junitText{s.blocks(v.findings)}}
	case v.shown > 0:
		text := fmt.Sprintf("the target shows %s that another target has shown first", report.Plural(v.shown, "bug"))
		c.Failure = &junitDetail{text, string(event.Bug), junitText{text}}
	case m == nil:
	case m.result == event.Fails:
		c.Failure = m.junit()
	case m.result == event.Skip || !s.isOwn(m.Package):
		c.Skipped = m.junit()
	default:
		c.Error = m.junit()
	}
	return c
}

// junit returns the reason of a target without a result.
func (m missed) junit() *junitDetail {
	return &junitDetail{xmlText(m.explained()), string(m.result), junitText{xmlText(report.Shorten(m.reason, maxOutput))}}
}

// blocks returns findings as gnaw fuzz prints them.
func (s *summary) blocks(list []event.Finding) string {
	var b strings.Builder
	for i, f := range list[:min(maxTextFindings, len(list))] {
		if i > 0 {
			b.WriteString("\n")
		}
		o := s.source
		o.ID = f.Short
		if f.Known != nil {
			o.Note = f.Known.Remark()
		}
		report.Block(&b, f.Record, o)
	}
	if n := len(list) - maxTextFindings; n > 0 {
		fmt.Fprintf(&b, "\n%s more: gnaw findings lists them.\n", report.Plural(n, "finding"))
	}
	return xmlText(b.String())
}

// noncharacters are what XML forbids beside the characters that report.Escape replaces.
var noncharacters = strings.NewReplacer("\ufffe", `\ufffe`, "\uffff", `\uffff`)

// xmlText returns text without the characters that XML forbids, in the same spelling as everywhere else.
func xmlText(text string) string { return noncharacters.Replace(report.Escape(text)) }
