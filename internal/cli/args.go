package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// cutArgs splits arguments at -args: what follows is for the test binary.
func cutArgs(args []string) (ours, theirs []string) {
	i := slices.IndexFunc(args, func(a string) bool { return a == "-args" || a == "--args" })
	if i < 0 {
		return args, nil
	}
	return args[:i], args[i+1:]
}

// parseMixed parses flags before, between and behind other arguments, and returns the others. The error is flag.ErrHelp if the arguments
// ask for help.
func parseMixed(fs *flagSet, args []string) (others []string, err error) {
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, usagef("%v%s; `gnaw help %s` lists the flags", err, meant(fs, err), fs.Name())
		}
		if args = fs.Args(); len(args) == 0 {
			return others, nil
		}
		others, args = append(others, args[0]), args[1:]
	}
}

// parsePackages is parseMixed for a command whose other arguments are patterns of packages.
func parsePackages(fs *flagSet, args []string) (patterns []string, err error) {
	others, err := parseMixed(fs, args)
	if err != nil {
		return nil, err
	}
	return packagesOf(others)
}

// packagesOf returns patterns of packages, or "./..." if there are none. The error is a *usage.Error if a pattern names a file.
func packagesOf(patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		return []string{"./..."}, nil
	}
	for _, p := range patterns {
		if strings.HasSuffix(p, ".go") {
			return nil, usagef("%s is a file; write the folder of its package", p)
		}
	}
	return patterns, nil
}

// one returns the only argument.
func one(command, what string, args []string) (string, error) {
	if len(args) != 1 {
		return "", usagef("%s takes one %s; `gnaw help %[1]s` explains it", command, what)
	}
	return args[0], nil
}

// meant returns a hint with a flag of a similar name, if err says that a flag does not exist.
func meant(fs *flagSet, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return ""
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

// isHelp reports whether an argument asks for help.
func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// usagef returns an error about the arguments.
func usagef(format string, args ...any) error { return usage.Errorf(format, args...) }
