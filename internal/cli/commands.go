package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// commands returns all commands, in the order in which help lists them. It is a function because runHelp is one of the commands.
func commands() []command {
	return []command{
		{"fuzz", "fuzz every target of some packages", helpFuzz, runFuzz, true, func() *flagSet { return new(fuzzFlags).define(new(budget), new(bool)) }},
		{"ci", "check a change: fuzz what it touches, and fail for what is new", helpCI, runCI, true, func() *flagSet { return new(ciFlags).define(new(bool)) }},
		{"test", "run go test with gnaw's engine behind -fuzz", helpTest, runTest, true, nil},
		{"init", "write fuzz targets for functions that have none", helpInit, runInit, true, new(initFlags).define},
		{"cover", "show which statements the inputs of targets reach", helpCover, runCover, true, new(coverFlags).define},
		{"frontier", "show the branches with a side that no input takes", helpFrontier, runFrontier, true, new(frontierFlags).define},
		{"corpus", "count, distill, convert, migrate and share the inputs of a target", helpCorpus, runCorpus, true, func() *flagSet { return new(corpusFlags).define("") }},
		{"build", "make one file that fuzzes a target without Go", helpBuild, runBuild, true, new(buildFlags).define},
		{"list", "list the fuzz targets of some packages", helpList, runList, true, new(listFlags).define},
		{"report", "write a report about a campaign", helpReport, runReport, false, new(reportFlags).define},
		{"ui", "show campaigns and findings in a browser", helpUI, runUI, true, new(uiFlags).define},
		{"findings", "list the findings", helpFindings, runFindings, false, func() *flagSet { return defineFindings(new(jsonFlag)) }},
		{"show", "print all details of a finding", helpShow, runShow, false, func() *flagSet { return defineShow(new(jsonFlag)) }},
		{"repro", "run a finding in plain go test", helpRepro, runRepro, true, nil},
		{"minimize", "make a failing input smaller", helpMinimize, runMinimize, true, new(minimizeFlags).define},
		{"regress", "write an ordinary Go test of a finding", helpRegress, runRegress, true, func() *flagSet { return defineRegress(new(jsonFlag)) }},
		{"bisect", "find the commit that introduced a finding", helpBisect, runBisect, true, new(bisectFlags).define},
		{"known", "list or add known findings", helpKnown, runKnown, false, func() *flagSet { return new(knownFlags).define(true) }},
		{"clean", "remove what gnaw has built", helpClean, runClean, false, new(cleanFlags).define},
		{"completion", "print a script for the completion of a shell", helpCompletion, runCompletion, false, nil},
		{"version", "print the version of gnaw", helpVersion, runVersion, false, func() *flagSet { return defineVersion(new(jsonFlag)) }},
		{"help", "explain a command", helpHelp, runHelp, false, new(helpFlags).define},
	}
}

// helpFlags are the flags of `gnaw help`.
type helpFlags struct{ man string }

func (f *helpFlags) define() *flagSet {
	fs := newFlags("help")
	fs.describe("man", "folder", "write the pages as manual pages into a folder, for those who package gnaw")
	fs.StringVar(&f.man, "man", "", "")
	return fs
}

// runHelp is `gnaw help`.
func runHelp(_ context.Context, env Env, args []string) (int, error) {
	var f helpFlags
	args, err := parseMixed(f.define(), args)
	if errors.Is(err, flag.ErrHelp) {
		args = []string{"help"}
	} else if err != nil {
		return 0, err
	}
	if f.man != "" {
		if len(args) > 0 {
			return 0, usagef("help -man writes all pages and takes no command")
		}
		return exitcode.OK, writeManual(env.Abs(f.man), commands())
	}
	if len(args) > 1 {
		return 0, usagef("help takes one command or topic")
	}
	if len(args) == 0 {
		var b strings.Builder
		b.WriteString(helpIntro)
		for _, c := range commands() {
			fmt.Fprintf(&b, "\t%-11s %s\n", c.name, c.short)
		}
		b.WriteString("\nUse \"gnaw help <command>\" for more. Topics: exit, files, environment.\n")
		_, _ = env.Stdout.Write([]byte(b.String()))
		return exitcode.OK, nil
	}
	for _, c := range commands() {
		if c.name == args[0] {
			fmt.Fprint(env.Stdout, c.page())
			return exitcode.OK, nil
		}
	}
	if text, ok := topics[args[0]]; ok {
		fmt.Fprint(env.Stdout, text)
		return exitcode.OK, nil
	}
	return 0, usagef("there is no help about %q; `gnaw help` lists commands and topics", args[0])
}
