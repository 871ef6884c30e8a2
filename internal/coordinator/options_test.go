package coordinator

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

func TestTheOptionsAreThoseOfTheJob(t *testing.T) {
	job := host.Job{
		Protocol: overlay.Protocol(), Executable: "x.test", Args: []string{"-test.fuzzworker"}, Target: "FuzzX", Kinds: []input.Kind{input.String},
		CorpusDir: "c", WriteDir: "w", CacheDir: "g", FuzzTime: time.Hour, FuzzLimit: -1, MinimizeTime: time.Minute, MinimizeLimit: 9,
	}
	got, err := optionsOf(Options{}, job)
	if err != nil {
		t.Fatal(err)
	}
	if got.single.Workers != runtime.GOMAXPROCS(0) || got.Procs != 1 || got.Config.Timeout != session.DefaultTimeout || got.MaxExecs != 0 {
		t.Errorf("the defaults are %d workers with %d processors, a timeout of %v and %d executions", got.single.Workers, got.Procs, got.Config.Timeout, got.MaxExecs)
	}
	if got.Config.Path != "x.test" || got.Target.Func != "FuzzX" || got.CorpusDir != "c" || got.WriteDir != "w" || got.CacheDir != "g" ||
		got.single.Time != time.Hour || got.Minimize != (engine.Budget{Time: time.Minute, Execs: 9}) || got.Repeatable || got.plainBuild != nil {
		t.Errorf("the options are %+v", got)
	}
	job.Parallel = 1
	if got, err := optionsOf(Options{}, job); err != nil || got.single.Workers != 1 || got.Procs != runtime.GOMAXPROCS(0) {
		t.Errorf("one worker has %d processors (%v)", got.Procs, err)
	}
}

func TestTheEnvironmentChangesTheOptions(t *testing.T) {
	o := Options{Environ: []string{
		"GNAW_TIMEOUT=3s", "GNAW_SEED=7", "GNAW_MEMLIMIT=16777216", build.PlainEnv + `={"Dir":"/m","Flags":["-tags=x"]}`, "GORACE=halt_on_error=1",
	}}
	got, err := optionsOf(o, host.Job{Protocol: overlay.Protocol(), MinimizeTime: time.Minute, FuzzTime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if got.Config.Timeout != 3*time.Second || got.Seed != 7 || !got.Repeatable || got.Grace != (engine.Grace{}) || got.MemLimit != 16<<20 {
		t.Errorf("the options are %+v", got)
	}
	if got.plainBuild == nil || got.plainBuild.Dir != "/m" || len(got.plainBuild.Flags) != 1 {
		t.Errorf("the binary without instrumentation is %+v", got.plainBuild)
	}
	if s := session.Getenv(got.Config.Env, "GORACE"); s != "" {
		t.Errorf("workers have GORACE=%s", s)
	}
}

func TestAJobOrAnEnvironmentThatIsWrongIsAnError(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "FuzzX.dict")
	if err := os.WriteFile(broken, []byte("\"no end\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, env string
		job       host.Job
		want      string
	}{
		{"a timeout without a unit", "GNAW_TIMEOUT=3", host.Job{}, `the environment variable GNAW_TIMEOUT is "3"; it must be a duration such as 10s`},
		{"a timeout below zero", "GNAW_TIMEOUT=-3s", host.Job{}, `the environment variable GNAW_TIMEOUT is "-3s"; it must be a duration such as 10s`},
		{"a seed that is no number", "GNAW_SEED=x", host.Job{}, `the environment variable GNAW_SEED is "x"; it must be a whole number`},
		{"a limit with a unit", "GNAW_MEMLIMIT=1GiB", host.Job{}, `the environment variable GNAW_MEMLIMIT is "1GiB"; it must be a number of bytes: at least 16777216, or 0 for no limit`},
		{"a limit below that of a worker", "GNAW_MEMLIMIT=16777215", host.Job{}, `the environment variable GNAW_MEMLIMIT is "16777215"; it must be a number of bytes: at least 16777216`},
		{"a technique that does not exist", "GNAW_WITHOUT=magic", host.Job{}, "the environment variable GNAW_WITHOUT: "},
		{"a plain build that is no JSON", build.PlainEnv + "=x", host.Job{}, "the environment variable " + build.PlainEnv + ", which gnaw test sets, cannot be read: "},
		{"a dictionary that is broken", build.DictEnv + "=" + broken, host.Job{}, broken},
		{"a dictionary beside the seeds that is broken", "", host.Job{WriteDir: filepath.Join(dir, "FuzzX")}, "FuzzX.dict"},
		{"a seed that is not there", "", host.Job{Seeds: []host.Seed{{Name: filepath.Join(dir, "gone")}}}, "seed gone: "},
		{"a seed of F.Add that is broken", "", host.Job{Kinds: []input.Kind{input.String}, Seeds: []host.Seed{{Name: "seed#0", Packed: []byte{}}}}, "seed seed#0: "},
	} {
		tt.job.Protocol = overlay.Protocol()
		if _, err := optionsOf(Options{Environ: []string{tt.env}}, tt.job); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want %q", tt.name, err, tt.want)
		}
	}
	_, err := jobSeeds(host.Job{Seeds: []host.Seed{{Name: filepath.Join(dir, "gone")}}})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a seed that is not there: %v", err)
	}
}

func TestSeedsComeFromTheJobAndFromFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(file, []byte("go test fuzz v1\nstring(\"b\")\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a, b := input.Args{{Kind: input.String, Data: []byte("a")}}, input.Args{{Kind: input.String, Data: []byte("b")}}
	got, err := jobSeeds(host.Job{Kinds: []input.Kind{input.String}, Seeds: []host.Seed{{Name: "seed#0", Packed: input.Append(nil, a)}, {Name: file}}})
	if err != nil || len(got) != 2 || !got[0].Args.Equal(a) || !got[1].Args.Equal(b) || got[0].Name != "seed#0" || got[1].Name != file {
		t.Errorf("the seeds are %+v (%v)", got, err)
	}
}
