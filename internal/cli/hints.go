package cli

import (
	"flag"
	"fmt"
	"strings"
)

// foreign has flags of go test and of other fuzzers, with the flags of gnaw that do what they ask for.
var foreign = map[string]struct{ flag, does string }{
	"run":            {"fuzz", "selects targets, and `go test -run` runs their seeds"},
	"bench":          {"fuzz", "selects targets, and `go test -bench` runs benchmarks"},
	"count":          {"fuzztime", "takes a number of executions too, as in -fuzztime=1000x"},
	"duration":       {"fuzztime", "limits the time"},
	"max_total_time": {"fuzztime", "limits the time"},
	"j":              {"parallel", "sets the number of workers"},
	"p":              {"parallel", "sets the number of workers"},
	"cpu":            {"parallel", "sets the number of workers"},
	"jobs":           {"parallel", "sets the number of workers"},
	"workers":        {"parallel", "sets the number of workers"},
	"coverprofile":   {"cover", "counts statements, and `gnaw cover -o` writes a profile"},
	"list":           {"fuzz", "selects targets, and `gnaw list` lists them"},
}

// meant returns a hint with the flag that may be meant, if err says that a flag does not exist.
func meant(fs *flagSet, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
	}
	if f, ok := foreign[name]; ok && fs.Lookup(f.flag) != nil {
		return fmt.Sprintf("; -%s %s", f.flag, f.does)
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if best := nearest(name, names); best != "" {
		return fmt.Sprintf("; -%s may be meant", best)
	}
	return ""
}

// nearest returns the name that differs from word by the fewest edits; empty: all names differ by too many.
func nearest(word string, names []string) (best string) {
	least := 2 + len(word)/5 // one edit of a short word, and one more for each five letters
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance returns how many letters have to be added, removed, replaced or exchanged with the next one to get from a to b.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
