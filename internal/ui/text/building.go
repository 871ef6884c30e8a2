package text

import (
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// stillBuilding is the time between two lines about the builds in progress, if there is no line of progress.
const stillBuilding = 15 * time.Second

// build writes that a build begins, unless a line of progress shows the builds.
func (r *Renderer) build(e event.Build, at time.Time) {
	if r.Progress != nil {
		return
	}
	r.built = at
	count := ""
	if e.Total > 0 {
		count = fmt.Sprintf(" (%d of %d)", e.Number, e.Total)
	}
	r.Out.printf(plain, "building the test binary of %s%s%s\n", e.Package, with(e.Race, e.Cover), count)
}

// building shows the builds in progress.
func (r *Renderer) building(e event.Building, at time.Time) {
	line := Building(e, r.Dir, r.Module)
	switch {
	case r.Progress != nil:
		r.Progress(line)
	case line != "" && at.Sub(r.built) >= stillBuilding:
		r.built = at
		r.Out.print(plain, line+"\n")
	}
}

// Building returns a line about the builds in progress. It is empty if there are none.
func Building(e event.Building, dir string, m project.Module) string {
	if len(e.Packages) == 0 {
		return ""
	}
	var names []string
	for _, pkg := range e.Packages {
		names = append(names, Package(pkg, dir, m))
	}
	if e.Needed > 0 {
		names[0] += fmt.Sprintf(" (%d of %d packages)", e.Ready, e.Needed)
	}
	return fmt.Sprintf("building %d of %d%s: %s, %v", e.Done+1, e.Total, with(e.Race, e.Cover), strings.Join(names, ", "), duration(e.Seconds).Round(time.Second))
}

// with says what kind of test binary is built.
func with(race, cover bool) string {
	switch {
	case race:
		return " with the race detector"
	case cover:
		return " with counters for statements"
	}
	return ""
}
