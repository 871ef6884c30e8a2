package report

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// RunPattern is the value of -run with which go test runs one input of a target and nothing else: seed#1 is the start of
// seed#10. name is that of the file, or of a seed of F.Add.
func RunPattern(target, name string) string { return "^" + target + "$/^" + literal(name) + "$" }

// shownPattern is the value of -run as a person gets it: of a file as short as go test prints it.
func shownPattern(r finding.Record) string {
	if r.Path == "" {
		return RunPattern(r.Target, r.Seed)
	}
	return r.Target + "/" + literal(filepath.Base(filepath.FromSlash(r.Path)))
}

// literal is a regular expression for a file name. Package testing rewrites spaces and what cannot be printed in a pattern,
// but not in the names of files: so these are written by their numbers.
func literal(name string) string {
	var b strings.Builder
	for _, r := range regexp.QuoteMeta(name) {
		if r == ' ' || !strconv.IsPrint(r) {
			fmt.Fprintf(&b, `\x{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
