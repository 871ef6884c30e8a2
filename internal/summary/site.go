package summary

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// site is a line of a file of the git work tree.
type site struct {
	file string // relative to the root of the work tree, with slashes
	line int    // from 1
}

// siteOf returns the line of the work tree at which programs show a finding. They refuse one without a line, so a finding that has no frame in
// the work tree is at its input, or else at the go.mod of the module, for a dependency in the line that requires it.
func (o Options) siteOf(f event.Finding) site {
	calls := slices.Concat(f.Calls, f.Others)
	if c, ok := report.Main(f.Calls); ok {
		calls = slices.Insert(calls, 0, c)
	}
	for _, c := range calls {
		if at, ok := o.inTree(c); ok {
			return at
		}
	}
	if f.Path != "" && isName(f.Path) {
		return site{path.Join(o.Prefix, f.Path), 1}
	}
	line := 1
	if d := f.Dependency; d != nil {
		line = max(line, d.Line)
	}
	return site{o.modFile(), line}
}

// modFile returns the go.mod of the module, where programs show what has no place of its own.
func (o Options) modFile() string { return path.Join(o.Prefix, "go.mod") }

// inTree returns the line of a call, if its file is in the work tree.
func (o Options) inTree(c finding.Call) (at site, ok bool) {
	name := filepath.FromSlash(c.File)
	if c.Line <= 0 {
		return at, false
	}
	if filepath.IsAbs(name) {
		tree := strings.TrimSuffix(filepath.ToSlash(o.Root)+"/", o.Prefix)
		rel, err := filepath.Rel(filepath.FromSlash(tree), name)
		return site{filepath.ToSlash(rel), c.Line}, err == nil && isName(rel)
	}
	slashed := filepath.ToSlash(name)
	// With -trimpath, the name of a file of another module is relative too.
	if c.Foreign && !strings.HasPrefix(slashed, "vendor/") && !strings.Contains(slashed, "/vendor/") && !strings.HasPrefix(slashed, ".gnaw/") {
		return at, false
	}
	return site{path.Join(o.Prefix, slashed), c.Line}, isName(name)
}

// isName reports whether a path names a file below a folder. Output of a target may contain a frame with anything in place of one.
func isName(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && clean(name, len(name)) == name
}

// isOwn reports whether a package is of the module. In a workspace whose root is no module, each package is.
func (o Options) isOwn(pkg string) bool {
	m := o.Campaign.Module
	return filepath.IsAbs(m) || pkg == m || strings.HasPrefix(pkg, m+"/")
}

// clean returns text as one line without control characters. Text of at most limit bytes is not cut.
func clean(text string, limit int) string {
	return strings.TrimSpace(oneLine.Replace(report.Escape(report.Shorten(text, limit))))
}

// message says on one line what a finding is, with its input and its command.
func (s *summary) message(f event.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s. It is %s %s, of %s in %s", f.Kind, report.Line(f.Title()), article[status(f)], clean(f.Short, maxTextReason), clean(f.Record.Target, maxTextReason), clean(f.Package, maxTextReason))
	if d := f.Dependency; d != nil {
		fmt.Fprintf(&b, " of the dependency %s", clean(d.Module+"@"+d.Version, maxTextReason))
	}
	b.WriteString(". ")
	if f.IsKnown() {
		fmt.Fprintf(&b, "It is %s. ", clean(f.Known.Remark(), maxTextInput))
	}
	if len(f.Literals) > 0 {
		var list []string
		for _, l := range f.Literals {
			list = append(list, report.Shorten(l, maxTextInput))
		}
		fmt.Fprintf(&b, "Input: %s. ", clean(strings.Join(list, ", "), 2*maxTextInput))
	}
	fmt.Fprintf(&b, "Proof: %s. Re-run: %s", clean(report.Proof(f.Record), maxTextInput), clean(f.Rerun, maxTextInput))
	return b.String()
}

// article has the word of [status] with its article.
var article = map[string]string{"bug": "the bug", "flaky": "the flaky finding", "unproven": "the unproven finding", "known": "the known finding"}

// about names a target, or a package whose targets are not known.
func about(n fuzz.Name) string {
	if n.Func == "" {
		return "package " + clean(n.Package, maxTextReason)
	}
	return clean(n.Func, maxTextReason) + " of " + clean(n.Package, maxTextReason)
}

// explained says on one line why there is no result of a target, or that plain go test fails.
func (m missed) explained() string {
	what := map[event.Result]string{
		event.Unusable: "could not be fuzzed", event.Unreached: "was not reached", event.Skip: "was skipped", event.Fails: "fails in plain go test",
	}[m.result]
	return strings.TrimSuffix(about(m.Name)+" "+what+": "+clean(m.reason, maxReason), ": ")
}
