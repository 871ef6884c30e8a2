package cli

import (
	"errors"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// fuzzFlags are the flags of `gnaw fuzz`.
type fuzzFlags struct {
	match, skip *regexp.Regexp
	time        time.Duration // of the campaign
	execs       uint64        // of each target
	each        time.Duration // of each target
	quiet       bool          // -until=quiet
	reached     bool          // -until=reached
	focus       []string      // values of -focus
	failFast    bool
	minimize    budget
	parallel    int
	timeout     time.Duration
	memLimit    uint64
	seed        uint64
	repeatable  bool // a seed was given
	without     technique.Set
	oracles     oracle.Limits
	dicts       []string // dictionary files
	words       [][]byte // the content of dicts; a pipe can be read only once
	cover       bool     // also count the statements that entries reach
	refuse      bool     // inputs do nothing outside of their process that no seed does
	maxCorpus   int      // entries of the corpus of a target above which it is distilled; 0: never
	race        bool     // one more worker replays the corpus with the race detector
	instrument  bool
	build       []string // flags for the go command
	plainStd    bool     // -std=plain
	plain       []string // the build flags that plain go test needs too
	verbose     bool
	json        bool
	ui          uiMode
	notify      notifyFlags
	web         webFlags
	files       resultFiles
	fresh       bool
	hidden      bool // print titles and hashes only
	deps        depsFlag
	same        string   // the arguments that identify a killed campaign
	args        []string // for the test binaries
	patterns    []string
}

// defaultFuzzFlags returns the flags of a command line without flags.
func defaultFuzzFlags() fuzzFlags {
	return fuzzFlags{
		minimize: budget{time: time.Minute}, parallel: runtime.GOMAXPROCS(0), timeout: session.DefaultTimeout,
		seed: uint64(time.Now().UnixNano()), oracles: oracle.Defaults(), refuse: true,
	}
}

// parseFuzzFlags reads the arguments of `gnaw fuzz`.
func parseFuzzFlags(args []string) (f fuzzFlags, err error) {
	f = defaultFuzzFlags()
	var whole budget
	limited := false
	fs := f.define(&whole, &limited)
	args, f.args = cutArgs(args)
	if f.patterns, err = parsePackages(fs, args); err != nil {
		return f, err
	}
	if !limited {
		f.memLimit = session.DefaultMemLimit(executor.MemoryRoom(), f.parallel)
	}
	f.time, f.execs, f.same = whole.time, whole.execs, sameArgs(args)
	if len(f.args) > 0 {
		f.same += " -args"
	}
	for _, a := range f.args {
		f.same += " " + report.Quoted(a)
	}
	return f, f.validate()
}

// define returns the flags of `gnaw fuzz`. whole gets -fuzztime, and limited whether there is a -memlimit.
func (f *fuzzFlags) define(whole *budget, limited *bool) *flagSet {
	fs := newFlags("fuzz")
	f.defineLimits(fs, whole)
	f.defineEngine(fs, limited)
	f.defineBuild(fs)
	f.defineOutput(fs)
	return fs
}

// defineLimits defines the flags that select targets and limit the campaign.
func (f *fuzzFlags) defineLimits(fs *flagSet, whole *budget) {
	fs.describe("fuzz", "regexp", "fuzz only the targets whose names match")
	fs.Func("fuzz", "", pattern(&f.match))
	fs.describe("skip", "regexp", "do not fuzz the targets whose names match")
	fs.Func("skip", "", pattern(&f.skip))
	fs.describe("deps", "[=list]", "also fuzz the targets of the modules that the packages import, at their versions, for half of the time; "+
		"std: those of the standard library in place of modules; all: also those of packages that the program does not contain; only: no "+
		"others; fail: a bug in a dependency gives exit code 1; write: write failing inputs to the testdata of modules that are replaced with "+
		"a folder; see docs/dependencies-fuzzing.md")
	fs.lists["deps"] = []string{"std", "all", "only", "fail", "write"}
	fs.BoolFunc("deps", "", f.deps.set)
	fs.describe("fuzztime", "d", "time for all targets together, such as 10m, without the time to build their binaries; or executions for each "+
		"target, such as 10000x (default: until ^C)")
	fs.Func("fuzztime", "", whole.limit)
	fs.describe("each", "d", "time for each target, such as 30s")
	fs.Func("each", "", positive(&f.each))
	fs.describe("focus", "where", "prefer inputs that come near to file.go:120, pkg.Func, pkg.Type.Method, or the lines that a git range such as "+
		"HEAD~3.. changes; may be repeated; see docs/focus.md")
	fs.Func("focus", "", func(s string) error { f.focus = append(f.focus, s); return nil })
	fs.describe("until", "quiet|reached", "quiet: end a target when it has shown no new edge for ten times the average time between its edges, and for "+
		"at least a minute; reached: end when inputs have reached all that -focus names")
	fs.Func("until", "", func(s string) error {
		switch s {
		case "quiet":
			f.quiet = true
		case "reached":
			f.reached = true
		default:
			return errors.New("it takes quiet or reached")
		}
		return nil
	})
	fs.describe("failfast", "", "stop at the first bug")
	fs.BoolVar(&f.failFast, "failfast", false, "")
}

// defineEngine defines the flags of the engine.
func (f *fuzzFlags) defineEngine(fs *flagSet, limited *bool) {
	fs.describe("fuzzminimizetime", "d", "time or executions for minimizing a failing input; 0s turns minimizing off (default 60s)")
	fs.Var(&f.minimize, "fuzzminimizetime", "")
	fs.describe("parallel", "n", "number of worker processes (default: GOMAXPROCS)")
	fs.IntVar(&f.parallel, "parallel", f.parallel, "")
	fs.describe("timeout", "d", "limit for one execution; an input that takes longer, also without instrumentation, is a hang (default 10s)")
	fs.DurationVar(&f.timeout, "timeout", f.timeout, "")
	fs.describe("memlimit", "size", "limit for the heap of a worker, at least 16MiB, such as 512MiB; off: no limit (default: an equal share of three "+
		"quarters of the memory of the machine or container, at most 2GiB)")
	fs.Func("memlimit", "", func(s string) error {
		n, err := gocommand.ParseMemLimit(s)
		f.memLimit, *limited = uint64(n), true
		return err
	})
	fs.defineRefuse(&f.refuse)
	fs.describe("seed", "n", "seed for all random choices; with -parallel=1 a run with the same seed makes the same inputs, if the target "+
		"behaves the same each time")
	fs.Func("seed", "", func(s string) (err error) {
		if f.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("want a whole number, such as 1")
		}
		f.repeatable = true
		return nil
	})
	fs.Func("without", "", func(s string) (err error) {
		f.without, err = technique.Parse(s)
		return err
	})
	fs.describe("oracles", "list", describeOracles())
	fs.lists["oracles"] = append([]string{"all", "none"}, oracle.All.Names()...)
	fs.Func("oracles", "", func(s string) (err error) {
		f.oracles, err = parseOracles(s)
		return err
	})
	fs.describe("maxcorpus", "n", "between two turns of a target, remove inputs from its corpus that show nothing new, as gnaw corpus distill does, if "+
		"there are more than n (default: keep all)")
	fs.Func("maxcorpus", "", func(s string) (err error) {
		if f.maxCorpus, err = strconv.Atoi(s); err != nil || f.maxCorpus < 1 {
			return errors.New("want a number of inputs such as 1000")
		}
		return nil
	})
	fs.describe("dict", "file", "dictionary of tokens to try in inputs; may be repeated; gnaw always uses testdata/fuzz/<Target>.dict too; see "+
		"docs/dictionary.md")
	fs.Func("dict", "", func(path string) error { f.dicts = append(f.dicts, path); return nil })
}

// defineBuild defines the flags of builds.
func (f *fuzzFlags) defineBuild(fs *flagSet) {
	fs.describe("instrument", "pats", "packages to instrument (default: the package under test and all its imports)")
	fs.Func("instrument", "", func(s string) error {
		flags, err := gocommand.InstrumentFlags(s)
		f.instrument, f.build = true, append(f.build, flags...)
		return accepted(err)
	})
	fs.describe("std", "hooks|plain", "hooks (default): use a standard library that reports map keys and searched strings to gnaw and clears large "+
		"buffers faster; gnaw builds it once; plain: use the original")
	fs.Func("std", "", func(s string) (err error) {
		f.plainStd, err = gocommand.ParseStd(s)
		return accepted(err)
	})
	fs.describe("tags mod modfile gcflags ldflags asmflags trimpath msan asan overlay", "", "as in go build")
	for _, name := range []string{"tags", "mod", "modfile", "gcflags", "ldflags", "asmflags", "overlay"} {
		fs.Func(name, "", f.forGo(name))
	}
	fs.describe("race", "", "also replay the corpus, and each new entry, with the race detector in one more worker; the other workers fuzz "+
		"without it")
	fs.BoolVar(&f.race, "race", false, "")
	fs.describe("cover", "", "also execute new entries in a test binary with counters for statements, in a fortieth of the time of one worker, so that "+
		"the status and the table have the number of statements that the entries reach; see docs/coverage.md")
	fs.BoolVar(&f.cover, "cover", false, "")
	for _, name := range []string{"msan", "asan", "trimpath"} {
		fs.BoolFunc(name, "", f.forGo(name))
	}
}

// defineOutput defines the flags of the output, and the others.
func (f *fuzzFlags) defineOutput(fs *flagSet) {
	fs.describe("v", "", "print a line for each new corpus entry, and the whole output of each failure")
	fs.BoolVar(&f.verbose, "v", false, "")
	fs.describe("ui", "tui|plain|json", "tui: show the campaign on the whole screen until it ends, see docs/terminal.md; this is the default on a "+
		"terminal of at least 80x24, unless the variable CI is set; plain: print lines; json: as -json")
	fs.Var(&f.ui, "ui", "")
	fs.describe("json", "", "print one JSON object per line for each event; see docs/campaigns.md")
	fs.BoolVar(&f.json, "json", false, "")
	f.files.define(fs)
	f.notify.define(fs)
	f.web.define(fs)
	fs.describe("fresh", "", "start a new campaign; without it, gnaw resumes the same campaign if it was killed")
	fs.BoolVar(&f.fresh, "fresh", false, "")
	fs.describe("args", "...", "pass the remaining arguments to the test binaries, as in go test; findings record them")
}

// forGo returns a function that passes a flag on to the go command.
func (f *fuzzFlags) forGo(name string) func(string) error {
	return func(s string) error {
		f.build = append(f.build, "-"+name+"="+s)
		f.plain = append(f.plain, "-"+name+"="+s)
		return nil
	}
}

func (f fuzzFlags) validate() error {
	var errs []error
	if f.json && f.ui != "" && f.ui != uiJSON {
		errs = append(errs, usagef("-json and -ui=%s contradict each other", f.ui))
	}
	if f.reached && len(f.focus) == 0 {
		errs = append(errs, usagef("-until=reached needs -focus"))
	}
	if f.parallel < 1 {
		errs = append(errs, usagef("-parallel is %d; it must be at least 1", f.parallel))
	}
	return errors.Join(append(errs, checkTimeout(f.timeout), f.web.validate(), f.files.refuseOutput())...)
}

// outputFlags has the flags that change only the output, with true for those whose value may be the next argument.
var outputFlags = map[string]bool{
	"json": false, "v": false, "fresh": false, "ui": true, "notify": true, "notify-input": false, "notify-test": false, "http": true, "http-control": false,
	"sarif": true, "junit": true, "codequality": true,
}

// sameArgs returns the arguments that identify a campaign, quoted for a shell: all except outputFlags.
func sameArgs(args []string) string {
	var same []string
	for i := 0; i < len(args); i++ {
		name, _, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		takesNext, isOutput := outputFlags[name]
		switch {
		case !strings.HasPrefix(args[i], "-") || !isOutput:
			same = append(same, report.Quoted(args[i]))
		case takesNext && !hasValue:
			i++ // its value is the next argument
		}
	}
	return strings.Join(same, " ")
}
