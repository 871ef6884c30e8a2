package cli

const helpIntro = `gnaw is a coverage-guided fuzzer for Go. It fuzzes the FuzzXxx functions of your module, uses the Go toolchain
that you have installed, and reads and writes the same corpus files as go test -fuzz.

Usage:

	gnaw                       fuzz every target of the module until ^C
	gnaw [flags] [packages]    the same as gnaw fuzz with these arguments
	gnaw <command> [arguments]

The commands:

`

const helpFuzz = `usage: gnaw fuzz [flags] [packages] [-args ...]

Fuzzes every FuzzXxx target of the packages (default ./...) with one pool of workers. Each target first gets a short turn.
After that, gnaw spends the time on the targets in which it still finds new behavior. For example, gnaw fuzz -fuzztime=10m ./...
fuzzes the module for ten minutes.

gnaw minimizes each failing input, writes it to testdata/fuzz/<Target> of its package, and replays it three times, each time
in a fresh process. From then on go test runs the input too. If an input does not fail in each replay, the finding is flaky and
does not count as a bug. Fuzzing continues after a finding, and gnaw reports each finding once. gnaw findings lists the findings.

With -http=127.0.0.1:0 gnaw also shows the campaign in a browser and prints the address; see docs/dashboard.md.

The exit code is 1 if gnaw found a bug that is not in .gnaw/known.toml (see gnaw help known). gnaw help exit lists all
exit codes.

{flags}
`

const helpTest = `usage: gnaw test [flags of go test] [packages]

Runs go test with the same flags, output and exit codes. With -fuzz, gnaw's engine replaces Go's; without -fuzz, gnaw test
is plain go test. In a CI file, replace "go test" with "gnaw test". A binary that gnaw test -c -fuzz=. builds also uses
gnaw's engine, if gnaw is installed on the machine that runs it.

These flags belong to gnaw:

	-fuzztimeout d      limit for one execution; an input that takes longer, also without instrumentation, is a hang
	                    (default 10s)
	-memlimit size      limit for the heap of a worker, at least 16MiB, such as 512MiB; off: no limit (default: an equal
	                    share of three quarters of the memory of the machine or container, at most 2GiB; off with -race)
	-dict file          dictionary of tokens to try in inputs; may be repeated; gnaw always uses
	                    testdata/fuzz/<Target>.dict too; see docs/dictionary.md
	-coverprofile file  with -fuzz, at the end of the run: write which statements the seeds and the corpus of the target reach;
	                    -coverpkg as in gnaw cover; see docs/coverage.md
	-instrument pats    packages to instrument (default: the package under test and all its imports)
	-seed n             seed for all random choices; with -parallel=1 a run with the same seed makes the same inputs, if
	                    the target behaves the same each time
	-std hooks|plain    hooks (default): use a standard library that reports map keys and searched strings to gnaw and
	                    clears large buffers faster; gnaw builds it once; plain: use the original

After a failure, gnaw test continues for as long as the run took so far: at least one second, at most ten seconds, and no
longer than -fuzzminimizetime in total. It reports other failures that it finds in this time, one for each place in the code.
If -fuzztime is a duration, gnaw test may use up to a twentieth of it after each failure and a tenth of it in total, if that
is longer. The run ends at the first failure with -failfast, with -seed, with a -fuzzminimizetime in executions, or if a seed
fails.

An input that needs more memory than -memlimit does not end the run. If the run finds no other failure, gnaw test reports
this input at the end. Plain go test may pass with it on a machine that has enough memory.
`

const helpVersion = `usage: gnaw version [-json]

Prints the version of gnaw and the version of Go that built it.

{flags}
`

const helpHelp = `usage: gnaw help [command or topic]
       gnaw help -man folder

Explains a command or one of these topics:

	exit         exit codes
	files        files that gnaw reads and writes
	environment  environment variables that gnaw reads

{flags}
`

// topics are the pages of help that are no commands.
var topics = map[string]string{
	"exit": `Exit codes:

	0  gnaw found nothing, or flaky findings only; the end of the time budget is not an error
	1  gnaw found a bug that is not in the list of known findings, or go test failed; a bug in a dependency counts with
	   -deps=fail only; or plain go test of a target fails, or of its package because of vet, and no finding is the reason
	2  the arguments are wrong
	3  gnaw itself failed: for example, it cannot read a file, start a process, build a package, or use this version of Go
	4  gnaw fuzz found no bug, but it ended before it had executed all seeds of each target; the table shows these targets
	   as "not reached"; or before it knew whether an execution hangs; or, with -until=reached, before inputs had reached
	   all that -focus names
	128 plus the number of a signal: the signal ended gnaw before it finished (^C: 130, SIGTERM: 143, SIGHUP: 129)

^C, SIGTERM and SIGHUP end every command. gnaw then stops its processes and removes its temporary files and git work trees. A
second ^C or SIGTERM ends gnaw at once and skips this cleanup.

If such a signal arrives while gnaw fuzz fuzzes, it prints what it found so far and exits with 1, 3 or 4 as above. Otherwise the
exit code is 0 after ^C, and 143 or 129 after SIGTERM or SIGHUP, which a target may have sent too. gnaw minimize keeps the smallest
input that it has found.

gnaw test and gnaw repro have the exit codes of go test. gnaw list exits with 3 if it cannot load a package, or, with -check, if
a package does not build.
`,
	"files": `gnaw reads and writes the files of go test -fuzz, so you can use both on the same module:

	testdata/fuzz/<Target>/            inputs that go test runs: your seeds, and failing inputs that gnaw or go test found
	testdata/fuzz/<Target>.dict        dictionary for the target, in the format of AFL and libFuzzer
	$GOCACHE/fuzz/<package>/<Target>/  the corpus: inputs that showed new behavior; go clean -fuzzcache removes it

gnaw corpus exchanges these inputs with other fuzzers and machines. gnaw corpus migrate -write keeps replaced files in the folder .old
beside the new ones, which go test and gnaw do not read.

In the root of a module gnaw reads .gnaw/known.toml; see gnaw help known. gnaw fuzz -deps keeps failing inputs of dependencies in
.gnaw/deps/<module>@<version>/<folder of the package>/testdata/fuzz/<Target>, and reads them as seeds. gnaw init -deps writes the
targets of the package into the same folder.

gnaw keeps its own files in one folder, <user cache directory>/gnaw. If there is no user cache directory, gnaw uses $GOCACHE/gnaw
or a temporary folder, and prints a message:

	overlay/   edited copies of files of your GOROOT, by Go version
	module/    copies of modules with targets of gnaw init -deps
	merged/    overlays of gnaw combined with an overlay of yours (-overlay)
	linked/    the test binaries of earlier runs; gnaw links one again only if the code or the flags have changed
	run/       for each running gnaw, its test binaries, copies of their sources, with -deps copies of modules, and the socket
	           that gnaw ui connects to; if gnaw is killed, the next gnaw removes them
	goroot/    links to toolchains that the go command downloaded
	std/       a marker for each instrumented standard library, so that gnaw announces its build only once
	users/     which running gnaw uses which of these files
	history.db findings, campaigns, coverage over time, and what inputs reach (SQLite); if you delete it, gnaw findings has nothing to list,
	           gnaw cannot resume a killed campaign, and the inputs of known findings are lost

gnaw clean removes all of these except the history. Once a day gnaw removes overlays, copies of modules and old test binaries that it has
not used for two weeks. If more than 4 GiB are left, it also removes those that it has not used for the longest time. It never removes
files that a running gnaw uses.
`,
	"environment": `gnaw reads these variables:

	GNAW            path of the gnaw command, for test binaries that gnaw test -c built (default: the gnaw that built
	                them, or else gnaw in PATH)
	GNAW_TIMEOUT    limit for one execution, as -fuzztimeout of gnaw test
	GNAW_MEMLIMIT   limit for the heap of a worker in bytes (0: no limit), as -memlimit of gnaw test
	GNAW_SEED       seed for all random choices, as -seed of gnaw test
	GNAW_DICT       dictionary files, separated as in PATH, as -dict of gnaw test
	GNAW_NOTIFY     URL for messages about bugs, as -notify of gnaw fuzz; gnaw passes the variable to no other process
	GNAW_HTTP_TOKEN token in the address of the dashboard, as at least 16 random letters and digits (default: another one for each start);
	                gnaw passes the variable to no other process
	GODEBUG         fuzzdebug=1 prints more about what gnaw does
	GOTRACEBACK     gnaw sets it to single for test processes if it hides stacks or writes core files
	GORACE          gnaw removes halt_on_error, log_path and strip_path_prefix for test processes
	GNAW_PROCESS    on Linux gnaw sets it for test processes, to find what they have started
	NO_COLOR        if it is set, gnaw fuzz writes no colors to a terminal
	TERM            if it is dumb, gnaw fuzz writes no escape codes
	CI              if it is set, gnaw fuzz without -ui prints lines on a terminal too
	GITHUB_ACTIONS  if it is true, gnaw fuzz prints annotations, and lines of targets are no commands in the log; see docs/report.md
	GITHUB_STEP_SUMMARY
	                file of GitHub Actions to which gnaw fuzz then appends a report in Markdown
	XDG_CACHE_HOME  the user cache directory (macOS: HOME/Library/Caches; Windows: LocalAppData)

gnaw test sets GNAW, and the variables from GNAW_TIMEOUT to GNAW_DICT from its flags, for the go command that it starts.
`,
}
