package text

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// maxLiteral limits the text of an input, in bytes.
	maxLiteral = 200
	// maxSpots limits the rows of reached spots, and those of other spots, in the table at the end. A git range may have thousands.
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
	r.Out.printf(bold, "reached: %s of %s %s %s (%s); %s\n", what, r.name(e.Subject), verb, r.position(e.File, e.Line), report.ShortFunc(e.Function), left)
	r.Out.print(plain, "  input   "+literal(e.Literals)+"\n")
	if e.Path != "" {
		r.Out.print(plain, "  file    "+project.Relative(r.Dir, e.Path)+"\n")
	}
}

// isSeed reports whether the path of an input from the warm-up is that of a seed. The others are in the corpus cache.
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
	at := r.position(e.File, e.Line) + " (" + report.ShortFunc(e.Function) + ")"
	switch {
	case e.Reached && e.Finding:
		r.Out.printf(plain, "  reached      %s by a failing input of %s: %s\n", at, r.name(e.Subject), literal(e.Literals))
	case e.Reached:
		r.Out.printf(plain, "  reached      %s by %s: %s\n", at, r.name(e.Subject), literal(e.Literals))
	case e.Distance == 0:
		r.Out.printf(yellow, "  not reached  %s: no input came near\n", at)
	default:
		r.Out.printf(yellow, "  not reached  %s: the nearest input, of %s, is %s away: %s\n", at, r.name(e.Subject),
			report.Plural(e.Distance, "condition"), literal(e.Literals))
		if e.Met.File != "" {
			r.Out.print(plain, "               "+r.met(e.Met)+"\n")
		}
	}
}

// hidden writes the number of spots without a row.
func (r *Renderer) hidden() {
	if hit, missed := max(0, r.hit-maxSpots), max(0, r.missed-maxSpots); hit+missed > 0 && !r.Verbose {
		r.Out.printf(plain, "  and %s that %s reached and %d that %s not; -v lists them\n", report.Plural(hit, "spot"), are(hit), missed, are(missed))
	}
}

// met names the condition at which the nearest input leaves the way to a spot.
func (r *Renderer) met(c event.Condition) string {
	text := "it takes another way at " + r.position(c.File, c.Line)
	if c.Text != "" {
		text += ": " + c.Text
	}
	return text
}

// position returns a line of a file of the module, with a path relative to the working directory.
func (r *Renderer) position(file string, line int) string {
	return fmt.Sprintf("%s:%d", project.Relative(r.Dir, r.Module.Abs(file)), line)
}

// literal returns the arguments of an input, shortened.
func literal(list []string) string { return report.Clip(strings.Join(list, ", "), maxLiteral) }
