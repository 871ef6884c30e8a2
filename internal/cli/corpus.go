package cli

import (
	"context"
	"flag"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// corpusAction is a command behind `gnaw corpus`.
type corpusAction struct {
	name  string
	takes string // what follows the package and the target; empty: nothing
	more  bool   // it takes several of that
	run   func(ctx context.Context, c *corpusCommand) error
}

// corpusActions are all, in the order in which messages list them.
var corpusActions = []corpusAction{
	{"stat", "", false, corpusStat},
	{"distill", "", false, corpusDistill},
	{"merge", "FOLDER", true, corpusMerge},
	{"import", "SOURCE", true, corpusImport},
	{"export", "DEST", false, corpusExport},
	{"migrate", "", false, corpusMigrate},
	{"push", "PLACE", false, corpusPush},
	{"pull", "PLACE", false, corpusPull},
}

// runCorpus is `gnaw corpus`.
func runCorpus(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) > 0 && isHelp(args[0]) {
		return 0, flag.ErrHelp
	}
	names := make([]string, len(corpusActions))
	for i, a := range corpusActions {
		names[i] = a.name
		if len(args) == 0 || args[0] != a.name {
			continue
		}
		c := &corpusCommand{env: env, corpusFlags: corpusFlags{refuse: true}}
		if err := c.parse(a, args[1:]); err != nil {
			return 0, err
		}
		if err := c.find(ctx); err != nil {
			return 0, err
		}
		return exitcode.OK, a.run(ctx, c)
	}
	if len(args) == 0 {
		return 0, usagef("corpus needs one of %s; `gnaw help corpus` explains them", strings.Join(names, ", "))
	}
	return 0, usagef("%q is nothing that corpus does; it takes %s", args[0], strings.Join(names, ", "))
}
