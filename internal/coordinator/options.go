package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// minGrace and maxGrace bound the time for which `gnaw test` continues after a failure. Most targets that fail at once show their other
// failures within a second, and a user who waits for a failure does not wait long. graceShare: with -fuzztime, the grace is up to
// 1/graceShare of that time in total, and half of that after each failure, so that a bug that shows in the first second of ten
// minutes does not hide one that shows in the tenth second.
const (
	minGrace   = time.Second
	maxGrace   = 10 * time.Second
	graceShare = 10
)

// jobOptions is what fuzzing the target of a job takes.
type jobOptions struct {
	session.Options
	single     session.Single
	profile    *build.Profile    // that is written at the end; nil: none
	plainBuild *build.PlainBuild // what the binary without instrumentation is made of; nil: there is none
}

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
func optionsOf(o Options, job host.Job) (j jobOptions, err error) {
	if job.Protocol != overlay.Protocol() {
		return j, errors.New("this test binary was built by another version of gnaw; build it again with `gnaw test -c`")
	}
	j.Options.Options = engine.Options{
		Target:    event.Subject{Func: job.Target},
		Kinds:     job.Kinds,
		CorpusDir: job.CorpusDir,
		WriteDir:  job.WriteDir,
		CacheDir:  job.CacheDir,
		MaxExecs:  uint64(max(job.FuzzLimit, 0)),
		Settings: engine.Settings{
			Minimize: engine.Budget{Time: job.MinimizeTime, Execs: int(job.MinimizeLimit)}, Seed: uint64(time.Now().UnixNano()),
		},
		Boundary: true,
	}
	j.single = session.Single{Time: job.FuzzTime, Workers: job.Parallel, Interval: o.Interval}
	if j.single.Workers <= 0 {
		j.single.Workers = runtime.GOMAXPROCS(0)
	}
	j.Procs = max(1, runtime.GOMAXPROCS(0)/j.single.Workers) // an equal share for each worker
	j.Grace = graceOf(job)
	if j.Seeds, err = jobSeeds(job); err != nil {
		return j, err
	}
	j.Config.Path, j.Config.Args = job.Executable, job.Args
	j.Config.Env, _ = session.ReadableEnviron(o.Environ)
	j.Config.Timeout, j.MemRoom = session.DefaultTimeout, executor.MemoryRoom()
	j.MemShare, j.MemLimit = session.MemoryShare(j.MemRoom, j.single.Workers), session.DefaultMemLimit(j.MemRoom, j.single.Workers)
	if err := j.readEnv(o); err != nil {
		return j, err
	}
	j.Words, err = jobWords(o, job)
	return j, err
}

// readEnv takes over what the environment variables of `gnaw test` say.
func (j *jobOptions) readEnv(o Options) (err error) {
	if s := o.getenv("GNAW_TIMEOUT"); s != "" {
		if j.Config.Timeout, err = time.ParseDuration(s); err != nil || j.Config.Timeout <= 0 {
			return fmt.Errorf("the environment variable GNAW_TIMEOUT is %q; it must be a duration such as 10s", s)
		}
	}
	if s := o.getenv("GNAW_SEED"); s != "" {
		if j.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return fmt.Errorf("the environment variable GNAW_SEED is %q; it must be a whole number", s)
		}
		j.Repeatable, j.Grace = true, engine.Grace{} // how many failures a while shows is chance
	}
	if j.Without, err = technique.Parse(o.getenv("GNAW_WITHOUT")); err != nil {
		return fmt.Errorf("the environment variable GNAW_WITHOUT: %w", err)
	}
	if s := o.getenv("GNAW_MEMLIMIT"); s != "" {
		if j.MemLimit, err = strconv.ParseUint(s, 10, 64); err != nil || j.MemLimit > 0 && j.MemLimit < gocommand.MinMemLimit {
			return fmt.Errorf("the environment variable GNAW_MEMLIMIT is %q; it must be a number of bytes: at least %d, or 0 for no limit", s, gocommand.MinMemLimit)
		}
	}
	if s := o.getenv(build.ProfileEnv); s != "" {
		j.profile = new(build.Profile)
		if err := json.Unmarshal([]byte(s), j.profile); err != nil {
			return fmt.Errorf("the environment variable %s, which gnaw test sets, cannot be read: %w; unset it", build.ProfileEnv, err)
		}
	}
	if s := o.getenv(build.PlainEnv); s != "" {
		var plain build.PlainBuild
		if err := json.Unmarshal([]byte(s), &plain); err != nil {
			return fmt.Errorf("the environment variable %s, which gnaw test sets, cannot be read: %w; unset it", build.PlainEnv, err)
		}
		j.plainBuild = &plain
	}
	return nil
}

// jobWords finds the words for the target of a job.
func jobWords(o Options, job host.Job) (engine.WordsFunc, error) {
	given, err := session.ReadDictionaries(filepath.SplitList(o.getenv(build.DictEnv)))
	if err != nil {
		return nil, err
	}
	return session.FindWords(given, job.WriteDir, func(ctx context.Context) [][]byte {
		return dictionary.Sources(ctx, dictionary.Place{Dir: o.Dir, Target: job.Target, Getenv: o.getenv})
	})
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

func (o Options) getenv(name string) string { return session.Getenv(o.Environ, name) }
