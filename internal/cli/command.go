package cli

import (
	"context"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// command is one of gnaw's commands.
type command struct {
	name  string
	short string
	long  string
	run   func(ctx context.Context, env Env, args []string) (int, error)
	stops bool            // it ends with its context, because it starts processes or makes temporary files
	flags func() *flagSet // nil: it has no flags of its own
}

// page is the page of help about a command. The descriptions of its flags take the place of "{flags}", and the names of the
// oracles that make reports that of "{oracles}".
func (c command) page() string {
	long := strings.Replace(c.long, "{oracles}", strings.Join(oracle.All.Reporting().Names(), ", "), 1)
	if c.flags == nil {
		return long
	}
	return strings.Replace(long, "{flags}\n", c.flags().String(), 1)
}

// usages returns the lines that begin the page of a command, each from "gnaw" on.
func (c command) usages() (lines []string) {
	head, _, _ := strings.Cut(strings.TrimPrefix(c.long, "usage: "), "\n\n")
	for line := range strings.Lines(head) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}
