package text

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// maxLiteral limits the text of an input, in bytes.
	maxLiteral = 200
	// maxSpots limits the rows of spots that are reached, and of those that are not, in the table at the end; a git range may have thousands.
	maxSpots = 40
)

// are returns the verb for n things.
func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// reached writes that an input reaches a spot.
func (r *Renderer) reached(e event.SpotReached) {
	verb := "reaches"
	switch {
	case e.Finding:
		verb = "fails at"
	case e.Given && isSeed(e.Path):
		verb = "already reaches"
	case e.Given:
		verb = "of an earlier run reaches"
	}
	left := "no spot of -focus is left"
	if e.Left > 0 {
		left = report.Plural(e.Left, "spot") + " left"
	}
	what := "an input"
	if e.Given && isSeed(e.Path) {
		what = "a seed"
	}
	r.Out.printf(bold, "reached: %s of %s %s %s (%s); %s\n", what, r.name(e.Target), verb, r.position(e.Spot), short(e.Function), left)
	r.Out.print(plain, "  input   "+literal(e.Literals)+"\n")
	if e.Path != "" {
		r.Out.print(plain, "  file    "+r.file(e.Path)+"\n")
	}
}

// isSeed reports whether an input of a campaign's beginning is one that the user gave, and not one of the corpus cache.
func isSeed(path string) bool {
	return strings.HasPrefix(path, "seed#") || strings.Contains(filepath.ToSlash(path), "testdata/fuzz/")
}

// spot writes the row of a spot at the end.
func (r *Renderer) spot(e event.SpotEnd) {
	if r.hit == 0 && r.missed == 0 {
		r.Out.print(bold, "-focus\n")
	}
	rows := &r.missed
	if e.Reached {
		rows = &r.hit
	}
	if *rows++; *rows > maxSpots && !r.Verbose {
		return
	}
	at := r.position(e.Spot) + " (" + short(e.Function) + ")"
	switch {
	case e.Reached && e.Finding:
		r.Out.printf(plain, "  reached      %s by a failing input of %s: %s\n", at, r.name(e.Target), literal(e.Literals))
	case e.Reached:
		r.Out.printf(plain, "  reached      %s by %s: %s\n", at, r.name(e.Target), literal(e.Literals))
	case e.Distance == 0:
		r.Out.printf(yellow, "  not reached  %s: no input came near\n", at)
	default:
		r.Out.printf(yellow, "  not reached  %s: the nearest input, of %s, is %s away: %s\n", at, r.name(e.Target),
			report.Plural(e.Distance, "condition"), literal(e.Literals))
		if e.Met.File != "" {
			r.Out.print(plain, "               "+r.met(e.Met)+"\n")
		}
	}
}

// hidden says how many spots have no row.
func (r *Renderer) hidden() {
	if hit, missed := max(0, r.hit-maxSpots), max(0, r.missed-maxSpots); hit+missed > 0 && !r.Verbose {
		r.Out.printf(plain, "  and %d spots that are reached and %d that are not; -v lists them\n", hit, missed)
	}
}

// met says which condition turned out wrong.
func (r *Renderer) met(c event.Condition) string {
	at := fmt.Sprintf("%s:%d", r.file(r.Module.Abs(c.File)), c.Line)
	if c.Text == "" {
		return "it takes another way at " + at
	}
	return "it takes another way at " + at + ": " + c.Text
}

// position returns the position of a spot, relative to the working directory.
func (r *Renderer) position(s event.Spot) string {
	return fmt.Sprintf("%s:%d", r.file(r.Module.Abs(s.File)), s.Line)
}

// file returns a path relative to the working directory, if it is in it.
func (r *Renderer) file(path string) string {
	if rel, err := filepath.Rel(r.Dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// short returns the name of a function with the last element of its import path.
func short(function string) string { return function[strings.LastIndexByte(function, '/')+1:] }

// literal returns the arguments of an input, shortened.
func literal(list []string) string {
	text := strings.Join(list, ", ")
	if len(text) > maxLiteral {
		return strings.ToValidUTF8(text[:maxLiteral], "") + "…"
	}
	return text
}
