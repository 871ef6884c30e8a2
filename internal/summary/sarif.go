package summary

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
	homePage     = "https://github.com/gnaw-fuzz/gnaw"
	// srcRoot stands for the root of the git work tree in addresses of files.
	srcRoot = "SRCROOT"
)

// The types below are the parts of SARIF 2.1.0 that gnaw writes, with the names of the specification.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool                `json:"tool"`
		AutomationDetails  *sarifID                 `json:"automationDetails,omitempty"`
		Invocations        []sarifInvocation        `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
		Results            []sarifResult            `json:"results"`
	}
	sarifID struct {
		ID string `json:"id"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		CommandLine                string              `json:"commandLine"`
		StartTimeUTC               string              `json:"startTimeUtc,omitempty"`
		EndTimeUTC                 string              `json:"endTimeUtc,omitempty"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Level      string    `json:"level"`
		Descriptor sarifID   `json:"descriptor"`
		Message    sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifText          `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		Stacks              []sarifStack       `json:"stacks,omitempty"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifStack struct {
		Frames []sarifFrame `json:"frames"`
	}
	sarifFrame struct {
		Location sarifLocation `json:"location"`
		Module   string        `json:"module,omitempty"`
	}
	sarifLocation struct {
		PhysicalLocation *sarifPhysical `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI         string     `json:"uri,omitempty"`
		URIBaseID   string     `json:"uriBaseId,omitempty"`
		Description *sarifText `json:"description,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}
)

// SARIF writes the findings of a campaign in SARIF 2.1.0. What was not fuzzed, and what fails in plain go test, are notifications, so that a file
// without results does not look like a campaign without bugs.
func SARIF(w io.Writer, o Options) error {
	s := newSummary(o)
	run := sarifRun{
		Tool:               sarifTool{sarifDriver{Name: "gnaw", Version: clean(s.Version, maxTextReason), InformationURI: homePage}},
		Invocations:        []sarifInvocation{s.sarifInvocation()},
		OriginalURIBaseIDs: map[string]sarifArtifact{srcRoot: {Description: &sarifText{"the root of the git work tree"}}},
		Results:            []sarifResult{},
	}
	if m := s.Campaign.Module; !filepath.IsAbs(m) { // the reports of several modules of a repository do not replace each other
		run.AutomationDetails = &sarifID{"gnaw/" + clean(m, maxTextReason) + "/"}
	}
	for _, k := range finding.Kinds() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{k.String(), sarifText{report.Explanation(k)}})
	}
	for _, f := range s.findings {
		run.Results = append(run.Results, s.sarifResult(f))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}}); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// sarifInvocation describes the campaign, with a notification for each target that has no result.
func (s *summary) sarifInvocation() sarifInvocation {
	command, _ := s.command()
	i := sarifInvocation{
		ExecutionSuccessful: s.State == Ended && len(s.failing) == 0 && s.failed() == 0, CommandLine: clean(command, maxTextInput),
		StartTimeUTC: s.Campaign.Start.UTC().Format(time.RFC3339), ToolExecutionNotifications: []sarifNotification{},
	}
	if s.State == Ended {
		i.EndTimeUTC = s.Campaign.Ended.UTC().Format(time.RFC3339)
	} else {
		i.notify("warning", string(s.State), fmt.Sprintf("the campaign was not over: %s", s.ended()))
	}
	for _, m := range s.failing {
		i.notify("error", string(m.result), m.explained())
	}
	for _, m := range s.missed {
		level := "error"
		switch {
		case m.result == event.Skip || !s.isOwn(m.Package):
			level = "note"
		case m.result == event.Unreached:
			level = "warning"
		}
		i.notify(level, string(m.result), m.explained())
	}
	return i
}

// notify adds a notification.
func (i *sarifInvocation) notify(level, id, text string) {
	i.ToolExecutionNotifications = append(i.ToolExecutionNotifications, sarifNotification{level, sarifID{id}, sarifText{unlinked(text)}})
}

// sarifResult returns a finding. Its identity is the ID, so that a bug stays the same when lines move.
func (s *summary) sarifResult(f event.Finding) sarifResult {
	r := sarifResult{
		RuleID: f.Kind.String(), RuleIndex: int(f.Kind), Level: "note", Message: sarifText{unlinked(s.message(f))},
		PartialFingerprints: map[string]string{"primaryLocationLineHash": f.ID},
	}
	at := sarifLocation{PhysicalLocation: s.siteOf(f).physical()}
	if c, ok := report.Main(f.Calls); ok {
		at.LogicalLocations = logical(c)
	}
	r.Locations = []sarifLocation{at}
	switch {
	case f.IsKnown(): // programs that do not know suppressions read the level
		r.Suppressions = []sarifSuppression{{"external", "accepted", clean(f.Known.Reason, maxTextInput)}}
	case f.IsBug() && f.Dependency != nil:
		r.Level = "warning"
	case f.IsBug():
		r.Level = "error"
	}
	for _, calls := range [][]finding.Call{f.Calls, f.Others} {
		if len(calls) > 0 {
			r.Stacks = append(r.Stacks, s.sarifStack(calls))
		}
	}
	return r
}

// sarifStack returns the frames of a stack. A frame outside of the work tree has no file.
func (s *summary) sarifStack(calls []finding.Call) (stack sarifStack) {
	for _, c := range calls[:min(maxFrames, len(calls))] {
		frame := sarifFrame{Location: sarifLocation{LogicalLocations: logical(c)}, Module: clean(c.Module, maxTextReason)}
		if at, ok := s.inTree(c); ok {
			frame.Location.PhysicalLocation = at.physical()
		}
		stack.Frames = append(stack.Frames, frame)
	}
	return stack
}

// physical returns a line of the work tree.
func (at site) physical() *sarifPhysical {
	return &sarifPhysical{sarifArtifact{URI: (&url.URL{Path: at.file}).String(), URIBaseID: srcRoot}, sarifRegion{at.line}}
}

// logical returns the function of a call, if it is known.
func logical(c finding.Call) []sarifLogical {
	if c.Func == "" {
		return nil
	}
	return []sarifLogical{{clean(c.Func, maxTextInput), "function"}}
}

// unlinked returns a message in which nothing is a link. SARIF takes a text in brackets with parentheses behind it for one, in plain text too.
func unlinked(text string) string { return strings.ReplaceAll(text, "](", `]\x28`) }
