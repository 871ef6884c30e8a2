package cli

import (
	"context"
	"fmt"
	"strings"
)

const helpIntro = `gnaw is a coverage-guided fuzzer for Go. It fuzzes the FuzzXxx functions that a module has, with the Go toolchain that
is installed, and reads and writes the corpus files of go test -fuzz.

Usage:

	gnaw                       fuzz every target of the module until ^C
	gnaw [flags] [packages]    the same as gnaw fuzz with these arguments
	gnaw <command> [arguments]

The commands:

`

const helpFuzz = `usage: gnaw fuzz [flags] [packages] [-args ...]

Fuzzes every FuzzXxx target of the packages (default ./...) with one pool of workers. Each target gets a first share of
the time; after that, time goes where new behaviour still turns up. A failing input is minimized, written to
testdata/fuzz/<Target> of its package, where go test runs it from then on, and replayed three times in a fresh process;
then fuzzing goes on, and the same failure is not reported again. The exit code is 1 if a bug was found that is not in
.gnaw/known.toml (see gnaw help known). gnaw findings lists what was found.

	-fuzz regexp        fuzz only targets whose names match
	-skip regexp        do not fuzz targets whose names match
	-fuzztime d         time for all targets together, such as 10m, after their binaries are built; or executions for
	                    each target, such as 10000x (default: until ^C)
	-each d             time for each target, such as 30s
	-until quiet        a target ends when no new edge came for ten times as long as they took before, and a minute
	-failfast           the first bug ends everything
	-fuzzminimizetime d time or executions for minimizing a failing input; 0s: it is not minimized (default 60s)
	-parallel n         number of worker processes (default: GOMAXPROCS)
	-timeout d          limit for one execution; a longer one is a hang if it is one without instrumentation
	                    too (default 10s)
	-memlimit size      limit for the heap of a worker, such as 512MiB; off: none (default: its share of the
	                    memory of the machine or container, at most 2GiB)
	-oracles list       what inputs that pass are examined for: alloc, growth, leak, modify, keep, flaky; all (default) or
	                    none; -name takes one away; alloc:SIZE, growth:TIME, leak:TIME set limits (default
	                    alloc:128MiB,growth:50ms,leak:1s), see docs/findings.md
	-dict file          words worth trying, see docs/dictionary.md; may be repeated; testdata/fuzz/<Target>.dict is used anyway
	-instrument pats    packages to instrument, instead of the package under test and all that it imports
	-seed n             start of all random choices; with -parallel=1 none of gnaw's depends on time, so the run can be
	                    repeated if the target does the same each time
	-std hooks|plain    with hooks (default), gnaw sees keys of maps and texts that are searched for, and large buffers
	                    cost less; the standard library is built once more, which takes about a minute. plain: without
	-race               one more worker replays the corpus, and what is new in it, with the race detector, while the
	                    others fuzz without it
	-tags, -mod, -modfile, -gcflags, -ldflags, -asmflags, -trimpath, -msan, -asan, -overlay
	                    as in go build
	-v                  print a line for each new entry of the corpus, and all output of what fails
	-fresh              begin anew, even if the same campaign was killed before; without, it goes on where it was
	-json               print one JSON object on each line for what happens, see docs/campaigns.md
	-args ...           what follows is for the test binaries, as in go test; findings keep it
`

const helpTest = `usage: gnaw test [flags of go test] [packages]

Runs go test with the same flags, output and exit code. With -fuzz, gnaw's engine takes the place of Go's: put gnaw in
front of test in a CI file and nothing else changes. Without -fuzz it is plain go test. A binary from gnaw test -c
-fuzz=. works alone, as long as gnaw is installed.

These flags are gnaw's own:

	-fuzztimeout d      limit for one execution of the target; a longer one is a hang if it is one without
	                    instrumentation too (default 10s)
	-memlimit size      limit for the heap of a worker, such as 512MiB; off: none (default: its share of the
	                    memory of the machine or container, at most 2GiB; off with -race)
	-dict file          words worth trying, see docs/dictionary.md; may be repeated; testdata/fuzz/<Target>.dict is used anyway
	-instrument pats    packages to instrument, instead of the package under test and all that it imports
	-seed n             start of all random choices; with -parallel=1 none of gnaw's depends on time, so the run can be
	                    repeated if the target does the same each time
	-std hooks|plain    with hooks (default), gnaw sees keys of maps and texts that are searched for, and large buffers
	                    cost less; the standard library is built once more, which takes about a minute. plain: without

After a failure the run goes on for as long as it took so far, at least one second and at most ten, in all for no longer
than -fuzzminimizetime: other failures are written and reported too, one for each place in the code. A -fuzztime in time
allows a twentieth of it after each failure, and a tenth in all, if that is longer. With -failfast, -seed or a
-fuzzminimizetime in executions the first failure ends it, and a seed that fails ends it in any case.

An input that needs more memory than -memlimit does not end the run. If nothing else is found, it is the failure that
is reported at the end, although plain go test may pass with it on a machine that is large enough.
`

const helpVersion = `usage: gnaw version [-json]

Prints the version of gnaw and of the Go that it was built with.

	-json  one object: version, go
`

const helpHelp = `usage: gnaw help [command or topic]

Explains a command, or one of these topics:

	exit        exit codes
	files       what gnaw reads and writes
	environment variables that gnaw looks at
`

// topics are the pages of help that are no commands.
var topics = map[string]string{
	"exit": `gnaw exits with

	0  nothing was found; the end of the time budget is no error
	1  a bug was found that is not in the list of known ones, or go test failed
	2  wrong arguments
	3  gnaw itself failed: a file, a process, a package that does not build, a Go version that it does not know
	4  gnaw fuzz found no bug, but ended before it had executed the seeds of each target: see "not reached" in the table
	128 and the number of a signal: the signal ended it before it had done what it was asked to (^C: 130, SIGTERM: 143,
	   SIGHUP: 129)

Every command ends by ^C, SIGTERM and SIGHUP, and leaves no process, no temporary file and no work tree of git behind. A second
^C or SIGTERM ends it at once, without that. gnaw fuzz tells what it has found so far and exits with 0, 1, 3 or 4, and gnaw minimize
keeps what it has reached.
gnaw test and gnaw repro exit as go test does. gnaw list exits with 3 if a package cannot be loaded, or with -check if it does not build.
`,
	"files": `gnaw reads and writes the files of go test -fuzz, so that both can be mixed:

	testdata/fuzz/<Target>/            inputs that go test runs: seeds of yours, and failing inputs that were found
	testdata/fuzz/<Target>.dict        words that gnaw tries in inputs, as AFL and libFuzzer have them
	$GOCACHE/fuzz/<package>/<Target>/  the corpus: inputs that showed something new; go clean -fuzzcache removes it

What it keeps for itself is in one folder, <user cache directory>/gnaw. If there is no such directory, as for a user without
a home, the folder is $GOCACHE/gnaw, or else one for temporary files, and gnaw says so:

	overlay/   edited copies of files of your GOROOT, by Go version
	merged/    overlays joined with one of yours, as -overlay names it
	run/       for each gnaw that runs: its test binaries, and copies of the sources that they are built from; what a gnaw
	           has left that was killed is removed by the next one
	goroot/    links to toolchains that the go command has downloaded
	std/       marks for standard libraries that were announced to be built
	users/     which of the gnaws that run use which of these files
	history.db findings, campaigns and coverage over time (SQLite); without it, gnaw findings has nothing to list, the
	           inputs of known findings are lost, and a campaign that was killed begins anew

gnaw clean removes all but the history. Once a day gnaw itself removes overlays, and test binaries of older versions, that were
not used for two weeks, and more if they have over 4 GiB. What a running gnaw uses stays. In the root of a module gnaw reads
.gnaw/known.toml, see gnaw help known.
`,
	"environment": `Variables that gnaw looks at:

	GNAW            path of the gnaw command, for test binaries that were built by gnaw test -c (default: the gnaw that
	                built them, then gnaw in PATH)
	GNAW_TIMEOUT    limit for one execution, as -fuzztimeout of gnaw test
	GNAW_MEMLIMIT   limit for the heap of a worker in bytes, as -memlimit of gnaw test
	GNAW_SEED       start of all random choices, as -seed of gnaw test
	GNAW_DICT       dictionary files, separated as in PATH, as -dict of gnaw test
	GODEBUG         with fuzzdebug=1, more is printed about what happens
	GOTRACEBACK     test processes have single instead of a value that hides stacks or makes core files
	GORACE          test processes have it without halt_on_error, log_path and strip_path_prefix
	XDG_CACHE_HOME  where the user cache directory is; on macOS it is Library/Caches in HOME, and on Windows what
	                LocalAppData says

gnaw test sets the first five for the go command that it starts.
`,
}

func runHelp(_ context.Context, env Env, args []string) (int, error) {
	if len(args) > 1 {
		return 0, usagef("help takes one command or topic")
	}
	if len(args) == 0 {
		var b strings.Builder
		b.WriteString(helpIntro)
		for _, c := range commands() {
			fmt.Fprintf(&b, "\t%-10s %s\n", c.name, c.short)
		}
		b.WriteString("\nUse \"gnaw help <command>\" for more. Topics: exit, files, environment.\n")
		_, _ = env.Stdout.Write([]byte(b.String()))
		return ExitOK, nil
	}
	for _, c := range commands() {
		if c.name == args[0] {
			fmt.Fprint(env.Stdout, c.long)
			return ExitOK, nil
		}
	}
	if text, ok := topics[args[0]]; ok {
		fmt.Fprint(env.Stdout, text)
		return ExitOK, nil
	}
	return 0, usagef("there is no help about %q; `gnaw help` lists commands and topics", args[0])
}
