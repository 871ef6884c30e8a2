package puzzles

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// A puzzle is a package below targets with one fuzz target. Its package comment says all that the tests know about it.
type puzzle struct {
	name   string // of the package
	target string
	opens  string // what the first paragraph of the comment says
	off    string // techniques that are off in the run that must fail; "" if there is no such run
	limit  int    // what is measured must not be more; 0: the puzzle is to be solved
	unit   string // what is measured
}

var (
	techniqueLine = regexp.MustCompile(`(?m)^Technique: ([a-z, -]+)\.`)
	measureLine   = regexp.MustCompile(`(?m)^Measure: at most (\d+) (entries|bytes per entry)\.$`)
	targetFunc    = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
)

// The units of what is measured.
const (
	unitEntries = "entries"
	unitBytes   = "bytes per entry"
)

// puzzles reads the packages below dir.
func puzzles(dir string) ([]puzzle, error) {
	tests, err := filepath.Glob(filepath.Join(dir, "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	var all []puzzle
	for _, test := range tests {
		p, err := readPuzzle(test)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b puzzle) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// readPuzzle reads a puzzle from the file with its target, and the file beside it.
func readPuzzle(test string) (p puzzle, err error) {
	source := strings.TrimSuffix(test, "_test.go") + ".go"
	p.name = filepath.Base(filepath.Dir(test))
	text, err := os.ReadFile(test)
	if err != nil {
		return p, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), source, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return p, err
	}
	comment := file.Doc.Text()
	target, line := targetFunc.FindSubmatch(text), techniqueLine.FindStringSubmatch(comment)
	if target == nil || line == nil {
		return p, fmt.Errorf("%s: no target, or no line that begins with Technique", source)
	}
	p.target = string(target[1])
	if p.off = strings.ReplaceAll(line[1], ", ", ","); p.off == "none" {
		p.off = ""
	}
	if _, err := technique.Parse(p.off); err != nil {
		return p, fmt.Errorf("%s: %w", source, err)
	}
	first, _, _ := strings.Cut(comment, "\n\n")
	first = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(first), "\n", " "), "Package "+p.name+" ")
	p.opens = strings.TrimSuffix(strings.TrimPrefix(first, "opens "), ".")
	if m := measureLine.FindStringSubmatch(comment); m != nil {
		p.unit = m[2]
		p.limit, err = strconv.Atoi(m[1])
	}
	return p, err
}
