package cli

import (
	"errors"
	"flag"
	"slices"
	"strconv"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/ci"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const helpCI = `usage: gnaw ci [flags] [packages]
       gnaw ci -nightly [flags] [packages]
       gnaw ci -init github|gitlab

Checks a change, as a step of CI or before a push. gnaw runs the seeds and the committed failing inputs of all targets of the packages
(default ./...) in plain go test, and fuzzes the targets whose test binary the change touches. If the change touches nothing but
code of packages, these are the targets that may execute it by the call graph. gnaw runs each finding again in the commit that the change
starts from. Only a finding that does not fail there counts.

The last lines say what ran, what did not, and why. The exit code is 1 if the change has a new finding or if plain go test fails
without one, 4 if not all that was to run did run, and 0 if all did and nothing new failed; gnaw help exit lists the others.

With -execs the verdict depends on the commit, the committed inputs, the seed and the number of executions only, and not on the
machine or its load: each target has one worker, which neither reads nor writes the corpus of the cache, and what is measured by the clock does
not count. It is for merge queues.

-nightly fuzzes all targets, and does around that what a night is for: with -corpus it pulls the corpora first; then it fuzzes, distills
the corpora, counts the statements that they reach, writes a report, and pushes the corpora.

{flags}

See docs/ci.md.
`

// defaultBudget is how long gnaw ci fuzzes a change.
const defaultBudget = 5 * time.Minute

// defaultSeed is the seed of -execs.
const defaultSeed = 1

// ciFlags are the flags of `gnaw ci`.
type ciFlags struct {
	fuzzFlags
	base     string // revision; empty: that of the merge request
	private  bool   // titles and hashes only
	object   bool   // -json: prints one object
	nightly  bool
	corpus   string // place that -nightly shares corpora with; empty: none
	report   string // file of the report of -nightly
	workflow string // of -init; empty: none is written
}

// parseCIFlags reads the arguments of `gnaw ci`.
func parseCIFlags(args []string) (f ciFlags, err error) {
	f.fuzzFlags = defaultFuzzFlags()
	f.fresh, f.ui, f.time, f.report = true, uiPlain, defaultBudget, "gnaw-report.html"
	limited := false
	fs := f.define(&limited)
	if f.patterns, err = parsePackages(fs, args); err != nil {
		return f, err
	}
	if err := f.validateCI(fs); err != nil {
		return f, err
	}
	if f.execs > 0 {
		f.decide(limited)
	} else if !limited {
		f.memLimit = session.DefaultMemLimit(executor.MemoryRoom(), f.parallel)
	}
	f.same = "gnaw ci " + sameArgs(args)
	return f, nil
}

// decide makes the verdict independent of the machine and of time. limited says that the user has set the limit of memory.
func (f *ciFlags) decide(limited bool) {
	if !f.repeatable {
		f.seed, f.repeatable = defaultSeed, true
	}
	f.time, f.parallel, f.minimize = 0, 1, budget{execs: decidedMinimize}
	f.oracles.On &^= f.oracles.On.Timed()
	if !limited {
		f.memLimit = decidedMemory
	}
}

// What -execs decides with, whatever the machine has.
const (
	decidedMinimize = 10_000  // executions for minimizing a finding
	decidedMemory   = 1 << 30 // bytes of the heap of a worker
)

func (f *ciFlags) define(limited *bool) *flagSet {
	fs := newFlags("ci")
	fs.describe("base", "rev", "compare with this revision (default: the target of the merge request that the environment describes, or else the "+
		"default branch of origin); the change is what was done since the common ancestor of it and HEAD, and in the work tree")
	fs.StringVar(&f.base, "base", "", "")
	fs.describe("budget", "d", "time for fuzzing all chosen targets together, without the time to build their binaries (default 5m)")
	fs.Func("budget", "", positive(&f.time))
	fs.describe("execs", "n", "executions for each chosen target, in place of -budget")
	fs.Func("execs", "", func(s string) (err error) {
		if f.execs, err = strconv.ParseUint(s, 10, 64); err != nil || f.execs == 0 {
			return errors.New("want a number of executions, such as 100000")
		}
		return nil
	})
	fs.describe("fuzz", "regexp", "only the targets whose names match")
	fs.Func("fuzz", "", pattern(&f.match))
	fs.describe("skip", "regexp", "without the targets whose names match")
	fs.Func("skip", "", pattern(&f.skip))
	fs.describe("private", "", "print titles and hashes only, neither inputs nor what targets print, for logs that everybody reads")
	fs.BoolVar(&f.private, "private", false, "")
	fs.describe("nightly", "", "fuzz all targets, and pull, distill, cover, report and push")
	fs.BoolVar(&f.nightly, "nightly", false, "")
	fs.describe("corpus", "place", "with -nightly: pull the corpora from this place and push them to it, as gnaw corpus push does")
	fs.StringVar(&f.corpus, "corpus", "", "")
	fs.describe("report", "file", "with -nightly: write the report to this file (default gnaw-report.html)")
	fs.StringVar(&f.report, "report", f.report, "")
	fs.describe("init", "github|gitlab", "write a workflow for every change and for every night, and do nothing else")
	fs.Func("init", "", func(s string) error {
		if s != ci.GitHub && s != ci.GitLab {
			return errors.New("it takes github or gitlab")
		}
		f.workflow = s
		return nil
	})
	f.defineEngine(fs, limited)
	f.defineBuild(fs)
	fs.describe("v", "", "print a line for each new corpus entry, and the whole output of each failure")
	fs.BoolVar(&f.verbose, "v", false, "")
	fs.describe("json", "", "print one object with the base, the targets, the findings and the verdict, and all else to the standard error; see docs/ci.md")
	fs.BoolVar(&f.object, "json", false, "")
	f.files.define(fs)
	return fs
}

// validateCI returns an error for flags that contradict each other.
func (f *ciFlags) validateCI(fs *flagSet) error {
	errs := []error{f.validate()}
	fs.Visit(func(set *flag.Flag) {
		if f.execs > 0 && slices.Contains([]string{"budget", "parallel", "fuzzminimizetime"}, set.Name) {
			errs = append(errs, usagef("-execs has one worker and its own limits; leave -%s out", set.Name))
		}
	})
	if f.nightly && f.object {
		errs = append(errs, usagef("-nightly runs several commands and prints no JSON; leave -json out"))
	}
	if f.nightly && (f.base != "" || f.execs > 0) {
		errs = append(errs, usagef("-nightly fuzzes all targets for a time; it takes neither -base nor -execs"))
	}
	if f.corpus != "" && !f.nightly {
		errs = append(errs, usagef("-corpus needs -nightly; `gnaw corpus pull` gets a corpus for a change"))
	}
	if f.private && f.verbose {
		errs = append(errs, usagef("-private and -v contradict each other"))
	}
	return errors.Join(errs...)
}
