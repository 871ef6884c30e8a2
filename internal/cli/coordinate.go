package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/ui/gotest"
)

// HostCommand is the hidden command by which a test process starts gnaw.
const HostCommand = host.Command

// defaultTimeout is the limit for one execution: that of Go's native engine.
const defaultTimeout = 10 * time.Second

// minGrace and maxGrace bound the time for which `gnaw test` continues after a failure. Most targets that fail at once show their other
// failures within a second, and a user who waits for a failure does not wait long. graceShare: with -fuzztime, the grace is up to
// 1/graceShare of that time in total, and half of that after each failure, so that a bug that shows in the first second of ten
// minutes does not hide one that shows in the tenth second.
const (
	minGrace   = time.Second
	maxGrace   = 10 * time.Second
	graceShare = 10
)

// runCoordinate fuzzes one target on behalf of a test process that waits at the other end of the pipes.
func runCoordinate(ctx context.Context, env Env) (int, error) {
	if env.Result == nil {
		return 0, usagef("test binaries that gnaw has built start gnaw %s; to fuzz, run gnaw fuzz or gnaw test", HostCommand)
	}
	stdin := bufio.NewReader(env.Stdin)
	var job host.Job
	line, err := stdin.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &job)
	}
	if err != nil {
		return 0, fmt.Errorf("read the job of the test process: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go obey(stdin, env, cancel)
	result := coordinate(ctx, env, job)
	if err := json.NewEncoder(env.Result).Encode(result); err != nil {
		return 0, fmt.Errorf("report the result to the test process: %w", err)
	}
	return exitcode.OK, nil
}

// obey ends the run when the test process says so or goes away, and at once when the user insists.
func obey(stdin *bufio.Reader, env Env, cancel func()) {
	words := make(chan error)
	go func() {
		for {
			_, err := stdin.ReadString('\n')
			words <- err
			if err != nil {
				return
			}
		}
	}()
	said, signaled := 0, 0
	for {
		select {
		case err := <-words:
			if err != nil { // the test process is gone
				cancel()
				words = nil
				continue
			}
			said++
		case s := <-env.Interrupts:
			if s == syscall.SIGHUP { // of a terminal that is closed, which nobody repeats to insist
				cancel()
				continue
			}
			signaled++
		}
		// One ^C may arrive both ways.
		switch max(said, signaled) {
		case 0:
		case 1:
			cancel()
		default:
			env.Abort(exitcode.Finding)
		}
	}
}

func coordinate(ctx context.Context, env Env, job host.Job) host.Result {
	o, err := optionsOf(env, job)
	if err != nil {
		return host.Result{Error: err.Error()}
	}
	if o.plainBuild != nil {
		s := beginSparing(ctx, env, *o.plainBuild)
		defer s.end(env)
		o.Plain = s.build
	}
	bus := &event.Bus{}
	bus.Subscribe(gotest.New(env.Stderr, debugs(env), time.Now()).Event)
	defer bus.Close() // all is printed then
	out, err := session.Run(ctx, o.Options, o.single, bus)
	return hostResult(job.Target, out, err)
}

// jobOptions is what fuzzing the target of a job takes.
type jobOptions struct {
	session.Options
	single     session.Single
	plainBuild *build.PlainBuild // what the binary without instrumentation is made of; nil: there is none
}

// hostResult puts all failures and an error into one result. Package testing prints its text and, below that, where the input
// of a failure is and how to run it again; all failures but the last one have that in the text.
func hostResult(target string, out engine.Outcome, err error) (r host.Result) {
	findings := out.Findings
	if len(findings) == 0 && out.OverLimit != nil && err == nil {
		findings = append(findings, out.OverLimit)
	}
	var text strings.Builder
	for i, f := range findings {
		if f.Why != "" {
			text.WriteString(outputOf(f) + "\n" + unwritten(target, f))
			continue
		}
		if i == len(findings)-1 && err == nil {
			r.CrashPath = f.Path
			text.WriteString(outputOf(f))
			break
		}
		text.WriteString(outputOf(f) + "\n")
		if f.Path != "" { // otherwise it is a seed
			fmt.Fprintf(&text, "Failing input written to %s\nTo re-run:\ngo test -run=%s/%s\n\n", f.Path, target, filepath.Base(f.Path))
		}
	}
	if err != nil {
		text.WriteString(report.Escape(err.Error()))
	}
	r.Error = text.String()
	return r
}

// outputOf is what package testing prints of a failure. It prints what a T has logged as it is, and nothing else of what a target prints.
func outputOf(f *finding.Finding) string {
	switch f.Kind {
	case finding.Panic, finding.Failure, finding.Goexit:
		return f.Output
	}
	return report.Escape(f.Output)
}

// unwritten says why the input of a finding is not where go test runs it, and where it is.
func unwritten(target string, f *finding.Finding) string {
	text := fmt.Sprintf("The failing input could not be written to testdata/fuzz/%s, where go test runs it: %s\n", target, f.Why)
	if f.Kept != "" {
		return text + fmt.Sprintf("It was written to %s\nTo run it with go test, copy that file to testdata/fuzz/%s of the package\n\n", f.Kept, target)
	}
	return text + fmt.Sprintf("This is its content:\n%s\n", input.Marshal(f.Input))
}

// debugs reports whether GODEBUG asks for more output.
func debugs(env Env) bool {
	for _, s := range strings.Split(env.Getenv("GODEBUG"), ",") {
		if s == "fuzzdebug=1" {
			return true
		}
	}
	return false
}

// procsOf is how many processors are the share of each of so many workers.
func procsOf(workers int) int { return max(1, runtime.GOMAXPROCS(0)/workers) }

// graceOf says for how long the run of a job goes on after failures. If -fuzzminimizetime counts executions, it does not.
func graceOf(job host.Job) engine.Grace {
	if job.FailFast || job.MinimizeTime <= 0 {
		return engine.Grace{}
	}
	share := job.FuzzTime / graceShare
	least := max(minGrace, share/2)
	return engine.Grace{Min: least, Max: max(least, min(maxGrace, job.MinimizeTime)), All: max(job.MinimizeTime, share)}
}

// optionsOf turns the job of a test process into options.
func optionsOf(env Env, job host.Job) (o jobOptions, err error) {
	if job.Protocol != build.Protocol() {
		return o, errors.New("this test binary was built by another version of gnaw; build it again with `gnaw test -c`")
	}
	o.Options.Options = engine.Options{
		Target:        event.Target{Target: job.Target},
		Kinds:         job.Kinds,
		CorpusDir:     job.CorpusDir,
		WriteDir:      job.WriteDir,
		CacheDir:      job.CacheDir,
		FuzzLimit:     uint64(max(job.FuzzLimit, 0)),
		MinimizeTime:  job.MinimizeTime,
		MinimizeLimit: int(job.MinimizeLimit),
		RandSeed:      uint64(time.Now().UnixNano()),
	}
	o.single = session.Single{Time: job.FuzzTime, Workers: job.Parallel, Interval: gotest.Interval}
	if o.single.Workers <= 0 {
		o.single.Workers = runtime.GOMAXPROCS(0)
	}
	o.Procs = procsOf(o.single.Workers)
	o.Grace = graceOf(job)
	if o.Seeds, err = jobSeeds(job); err != nil {
		return o, err
	}
	o.Config.Path, o.Config.Args = job.Executable, job.Args
	o.Config.Env, _ = session.ReadableEnviron(env.Environ)
	o.Config.Timeout, o.MemRoom = defaultTimeout, executor.MemoryRoom()
	o.MemShare, o.MemLimit = session.MemoryShare(o.MemRoom, o.single.Workers), session.DefaultMemLimit(o.MemRoom, o.single.Workers)
	if s := env.Getenv("GNAW_TIMEOUT"); s != "" {
		if o.Config.Timeout, err = time.ParseDuration(s); err != nil || o.Config.Timeout <= 0 {
			return o, fmt.Errorf("the environment variable GNAW_TIMEOUT is %q; it must be a duration such as 10s", s)
		}
	}
	if s := env.Getenv("GNAW_SEED"); s != "" {
		if o.RandSeed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return o, fmt.Errorf("the environment variable GNAW_SEED is %q; it must be a whole number", s)
		}
		o.Repeatable, o.Grace = true, engine.Grace{} // how many failures a while shows is chance
	}
	if o.Without, err = technique.Parse(env.Getenv("GNAW_WITHOUT")); err != nil {
		return o, fmt.Errorf("the environment variable GNAW_WITHOUT: %w", err)
	}
	if s := env.Getenv("GNAW_MEMLIMIT"); s != "" {
		if o.MemLimit, err = strconv.ParseUint(s, 10, 64); err != nil {
			return o, fmt.Errorf("the environment variable GNAW_MEMLIMIT is %q; it must be a number of bytes", s)
		}
	}
	if s := env.Getenv(build.PlainEnv); s != "" {
		var plain build.PlainBuild
		if err := json.Unmarshal([]byte(s), &plain); err != nil {
			return o, fmt.Errorf("the environment variable %s, which gnaw test sets, cannot be read: %w; unset it", build.PlainEnv, err)
		}
		o.plainBuild = &plain
	}
	o.Words, err = jobWords(env, job)
	return o, err
}

// jobWords finds the words for the target of a job.
func jobWords(env Env, job host.Job) (engine.WordsFunc, error) {
	given, err := session.ReadDictionaries(filepath.SplitList(env.Getenv(build.DictEnv)))
	if err != nil {
		return nil, err
	}
	place := dictionary.Place{Dir: env.Dir, Target: job.Target, Getenv: env.Getenv} // the go command starts tests there
	return session.FindWords(given, job.WriteDir, place)
}

// jobSeeds unpacks the seeds of F.Add and reads those of testdata.
func jobSeeds(job host.Job) (seeds []engine.Seed, err error) {
	for _, s := range job.Seeds {
		var a input.Args
		if s.Packed == nil {
			a, err = corpus.Read(s.Name, corpus.GoTest(job.Kinds))
		} else {
			a, _, err = input.Decode(s.Packed, job.Kinds)
		}
		if err != nil {
			return nil, fmt.Errorf("seed %s: %w", filepath.Base(s.Name), err)
		}
		seeds = append(seeds, engine.Seed{Name: s.Name, Args: a})
	}
	return seeds, nil
}
