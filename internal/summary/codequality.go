package summary

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// qualityIssue is an entry of a Code Quality report of GitLab.
type qualityIssue struct {
	Description string          `json:"description"`
	CheckName   string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    qualityLocation `json:"location"`
}

type qualityLocation struct {
	Path  string       `json:"path"`
	Lines qualityLines `json:"lines"`
}

type qualityLines struct {
	Begin int `json:"begin"`
}

// CodeQuality writes the findings of a campaign, and the targets of the module that were not fuzzed or fail in plain go test, as a Code Quality report of
// GitLab. The format has no place for a target without a result, so that one is an issue too.
func CodeQuality(w io.Writer, o Options) error {
	s := newSummary(o)
	list := []qualityIssue{}
	for _, f := range s.findings {
		severity := "info"
		if f.IsBug() {
			severity = "critical"
		}
		at := s.siteOf(f)
		list = append(list, qualityIssue{s.message(f), "gnaw/" + f.Kind.String(), f.ID, severity, qualityLocation{at.file, qualityLines{at.line}}})
	}
	for _, m := range slices.Concat(s.failing, s.missed) {
		if m.result == event.Skip || !s.isOwn(m.Package) {
			continue
		}
		id := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", m.result, m.Package, m.Func))
		list = append(list, qualityIssue{m.explained(), "gnaw/" + string(m.result), fmt.Sprintf("%x", id[:8]), "major", qualityLocation{s.modFile(), qualityLines{1}}})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(list); err != nil {
		return fmt.Errorf("write Code Quality: %w", err)
	}
	return nil
}
