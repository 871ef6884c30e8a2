package cli

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// maxExcluded is the number of excluded files that a message names.
const maxExcluded = 3

// excluded returns the part of a message that names the test files with targets that the build leaves out; empty: there are none. match
// selects targets; nil: all.
func excluded(ctx context.Context, env Env, tc gocommand.Toolchain, patterns, flags []string, match *regexp.Regexp) string {
	var b strings.Builder
	named, left := 0, 0
	for _, f := range build.ListExcluded(ctx, tc, env.Dir, patterns, flags) {
		name := f.Targets[0]
		if match != nil {
			if name = firstMatch(f.Targets, match); name == "" {
				continue
			}
		}
		if named == maxExcluded {
			left++
			continue
		}
		named++
		fmt.Fprintf(&b, "; the build leaves out %s with %s", project.Relative(env.Dir, f.File), name)
		switch {
		case f.Tag != "":
			fmt.Fprintf(&b, " (%s): add -tags=%s", f.Rule, f.Tag)
		case f.Rule != "":
			fmt.Fprintf(&b, " (%s)", f.Rule)
		default:
			b.WriteString(", whose file name is for another system")
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "; and %s more", report.Plural(left, "file"))
	}
	return b.String()
}

// firstMatch returns the first name that matches; empty: there is none.
func firstMatch(names []string, match *regexp.Regexp) string {
	for _, n := range names {
		if match.MatchString(n) {
			return n
		}
	}
	return ""
}
