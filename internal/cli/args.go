package cli

import (
	"errors"
	"flag"
	"path/filepath"
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

// named returns the command that the arguments ask for, and its arguments. If the first one is a flag or names packages, the command is
// fuzz.
func named(args []string) (name string, rest []string) {
	switch {
	case len(args) == 0:
		return "fuzz", []string{"./..."}
	case isHelp(args[0]):
		return "help", nil
	case args[0] == "-version" || args[0] == "--version" || args[0] == "-V":
		return "version", args[1:]
	case strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], ".") || strings.Contains(args[0], "/") || filepath.IsAbs(args[0]):
		return "fuzz", args
	}
	return args[0], args[1:]
}

// isHelp reports whether an argument asks for help.
func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// usagef returns an error about the arguments.
func usagef(format string, args ...any) error { return usage.Errorf(format, args...) }
