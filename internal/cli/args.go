package cli

import (
	"errors"
	"flag"
	"io"
)

// parseMixed reads flags before and behind the other arguments, and returns those. Asking for help is flag.ErrHelp.
func parseMixed(fs *flag.FlagSet, args []string) (others []string, err error) {
	fs.SetOutput(io.Discard)
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			return nil, usagef("%v; `gnaw help %s` lists the flags", err, fs.Name())
		}
		if args = fs.Args(); len(args) == 0 {
			return others, nil
		}
		others, args = append(others, args[0]), args[1:]
	}
}

// one returns the only argument.
func one(command, what string, args []string) (string, error) {
	if len(args) != 1 {
		return "", usagef("%s takes one %s; `gnaw help %[1]s` explains it", command, what)
	}
	return args[0], nil
}
