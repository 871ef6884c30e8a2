//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// executed counts the executions of a target's process; severalExecuted is closed by the third one, if it ends late.
var (
	executed        atomic.Int32
	severalExecuted = make(chan struct{})
)

// The test binary is that of a target too: what it does is in the first word of its input. What happens late happens during a later execution,
// and hence not in a process that executes the input once.
func TestMain(m *testing.M) {
	testkit.BeTarget(testkit.FakeTarget{
		Protocol: overlay.Protocol(), Seeds: []string{"seed"},
		Call: func(t *testing.T, edges []byte, data string) {
			edges[len(data)%testkit.Edges]++
			if executed.Add(1) == 3 && strings.HasPrefix(data, "late") {
				close(severalExecuted)
				select {} // until the process ends
			}
			if strings.HasPrefix(data, "long") {
				t.Fail()
			}
			switch data {
			case "fail":
				t.Fail()
			case "exit":
				os.Exit(3)
			case "hang":
				select {}
			case "late":
				go func() {
					<-severalExecuted
					panic("too late")
				}()
			case "late exit":
				go func() {
					<-severalExecuted
					os.Exit(3)
				}()
			case "kill":
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		},
	})
	os.Exit(m.Run())
}

// configOf says how to start processes of the target in a folder.
func configOf(dir string, timeout time.Duration) executor.Config {
	return Config(append(os.Environ(), testkit.TargetEnv+"=1"), build.Target{Name: fuzz.Name{Func: "FuzzX"}, Dir: dir}, os.Args[0], filepath.Join(dir, "cache"), timeout, nil)
}

func args(text string) input.Args { return input.Args{{Kind: input.String, Data: []byte(text)}} }

func TestAProcessExecutesSingleInputs(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute), Setup: wire.Setup{MemLimit: 1 << 30}}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if p.Kinds() != nil {
		t.Errorf("before the first start the kinds are %v", p.Kinds())
	}
	if err := errors.Join(p.Start(t.Context()), p.Start(t.Context())); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Kinds(), []input.Kind{input.String}) {
		t.Errorf("the kinds are %v, want a string", p.Kinds())
	}
	for _, tt := range []struct {
		input string
		kind  finding.Kind // Unknown: it passes
	}{
		{"pass", finding.Unknown},
		{"fail", finding.Failure},
		{"pass", finding.Unknown},
		{"exit", finding.Exit},
		{"pass", finding.Unknown}, // in another process
	} {
		f, err := p.Execute(t.Context(), args(tt.input))
		switch {
		case err != nil:
			t.Errorf("%q: %v", tt.input, err)
		case (f != nil) != (tt.kind != finding.Unknown):
			t.Errorf("%q fails as %+v, want %v", tt.input, f, tt.kind)
		case f != nil && (f.Kind != tt.kind || !f.Input.Equal(args(tt.input))):
			t.Errorf("%q fails as %+v, want %v", tt.input, f, tt.kind)
		}
		if tt.input == "fail" {
			p.End()
		}
	}
}

func TestAnInputIsMadeSmaller(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	first, err := p.Execute(t.Context(), args("long and longer"))
	if err != nil || first == nil {
		t.Fatalf("it fails as %+v, %v", first, err)
	}
	for _, tt := range []struct {
		name   string
		search Search
		want   func(size int) bool
	}{
		{"as far as it goes", Search{}, func(size int) bool { return size == len("long") }},
		{"from another input that fails", Search{Execs: 1, Others: []input.Args{args("longer"), args("none")}}, func(size int) bool { return size <= len("longer") }},
		{"as far as the executions go", Search{Execs: 1}, func(size int) bool { return size > len("long") }},
	} {
		best, stats, err := p.Minimize(t.Context(), first, tt.search)
		if err != nil || !tt.want(best.Input.Size()) || best.Kind != finding.Failure || stats.Checks == 0 {
			t.Errorf("%s: it becomes %q after %d checks, %v", tt.name, best.Input.Values(), stats.Checks, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestAHangIsAFinding(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), 100*time.Millisecond)}
	f, err := p.Execute(t.Context(), args("hang"))
	if err = errors.Join(err, p.Close()); err != nil || f == nil || f.Kind != finding.Hang {
		t.Errorf("it fails as %+v (%v), want a hang", f, err)
	}
}

func TestAProcessThatIsKilledProvesNothing(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	f, err := p.Execute(t.Context(), args("kill"))
	var exit *executor.Exit
	if f != nil || !errors.As(err, &exit) || !exit.External {
		t.Errorf("it fails as %+v (%v), want an end from outside", f, err)
	}
	if f, err := p.Execute(t.Context(), args("pass")); f != nil || err != nil {
		t.Errorf("the next input fails as %+v (%v)", f, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnInputIsMeasuredByOracles(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	got, err := p.RunOracles(t.Context(), wire.Measure{Input: input.Append(nil, args("pass")), Limits: oracle.Limits{On: oracle.Modify}})
	if err = errors.Join(err, p.Close()); err != nil || len(got.Reports) != 0 || got.Failed != nil {
		t.Errorf("RunOracles = %+v, %v; want nothing to report", got, err)
	}
}

func TestABinaryThatIsNotThereIsAnError(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	p.Config.Path = filepath.Join(t.TempDir(), "none")
	for _, err := range []error{p.Start(t.Context()), func() error { _, err := p.Execute(t.Context(), args("pass")); return err }()} {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the error is %v, want one that says that the file is not there", err)
		}
	}
	if _, err := p.RunOracles(t.Context(), wire.Measure{}); err == nil {
		t.Error("it can be measured")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnInterruptIsNoFinding(t *testing.T) {
	p := &Process{Config: configOf(t.TempDir(), time.Minute)}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := p.Execute(ctx, args("hang")); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("it fails as %+v (%v)", f, err)
	}
	if f, err := p.Execute(t.Context(), args("pass")); f != nil || err != nil {
		t.Errorf("the next input fails as %+v (%v)", f, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheOutputOfAPlainRun(t *testing.T) {
	c := configOf(t.TempDir(), time.Minute)
	if got := (proof.GoTest{Config: c, Target: "FuzzX"}).Output(t.Context()); got != "" {
		t.Errorf("a target that passes prints %q", got)
	}
}

// A session fuzzes in turns, and replays its findings in plain go test.
func TestASessionFindsAndReplays(t *testing.T) {
	dir := t.TempDir()
	o := Options{Config: configOf(dir, time.Minute)}
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	o.Options = engine.Options{
		Target: event.Subject{Func: "FuzzX"}, SeedDir: seeds, CorpusDir: seeds, WriteDir: seeds, CacheDir: filepath.Join(dir, "cache"), MaxExecs: 1 << 20, KeepGoing: true,
		Settings:  engine.Settings{Minimize: engine.Budget{Execs: 100}},
		Callbacks: engine.Callbacks{Words: func(context.Context) [][]byte { return [][]byte{[]byte("fail")} }},
	}
	var mu sync.Mutex
	var found []*finding.Finding
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.OnFound = func(f *finding.Finding) {
		mu.Lock()
		defer mu.Unlock()
		found = append(found, f)
		cancel()
	}
	s := Open(o)
	if err := s.Fuzz(ctx, 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(found) != 1 || found[0].Failures != found[0].Replays || found[0].Replays == 0 || found[0].NotRun != "" || !found[0].Input.Equal(args("fail")) {
		t.Fatalf("it has found %+v, want one finding that each replay shows", found)
	}
	// Between two turns it has nothing of the system, and can prove in a process of its own what go test does not run.
	alone := &finding.Finding{Kind: finding.Failure, Place: found[0].Place, Message: found[0].Message, Output: found[0].Output, Input: args("fail"), Why: "the disk is full"}
	if got, err := s.Prove(t.Context(), alone); err != nil || got != proof.Fails || alone.Replays != 1 || alone.Failures != 1 {
		t.Errorf("Prove = %v, %v, with %d of %d replays that fail", got, err, alone.Failures, alone.Replays)
	}
	if got := s.Fuzzer.Snapshot(); got.Execs == 0 || got.Entries == 0 {
		t.Errorf("the snapshot is %+v", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAReplayRunsTheInputAsGoTestDoes(t *testing.T) {
	dir := t.TempDir()
	r := proof.GoTest{Config: configOf(dir, time.Minute), Target: "FuzzX", Plain: func(context.Context) (string, error) { return os.Args[0], nil }}
	write(t, filepath.Join(dir, "testdata", "fuzz", "FuzzX", "bad"), "go test fuzz v1\nstring(\"fail\")\n")
	write(t, filepath.Join(dir, "testdata", "fuzz", "FuzzX", "good"), "go test fuzz v1\nstring(\"pass\")\n")
	write(t, filepath.Join(dir, "testdata", "fuzz", "FuzzX", "killed"), "go test fuzz v1\nstring(\"kill\")\n")
	for _, tt := range []struct {
		name string
		kind finding.Kind
		want proof.Verdict
	}{
		{"bad", finding.Failure, proof.Fails},
		{"good", finding.Failure, proof.Passes},
		{"good", finding.Hang, proof.Passes},
		{"killed", finding.Memory, proof.Fails}, // by the system, which has no more
		{"killed", finding.Signal, proof.Fails}, // by the input, as a process without it is not
	} {
		if got, err := r.Prove(t.Context(), proof.Execution{Name: tt.name}, &finding.Finding{Kind: tt.kind}); err != nil || got != tt.want {
			t.Errorf("the replay of %s for a %v is %v (%v), want %v", tt.name, tt.kind, got, err, tt.want)
		}
	}
	var notRun *proof.NotRunError
	if _, err := r.Prove(t.Context(), proof.Execution{Name: "none"}, &finding.Finding{}); !errors.As(err, &notRun) {
		t.Errorf("an input that is not there: %v, want that it is not run", err)
	}
	if _, ended, err := r.Time(t.Context(), proof.Execution{Name: "good"}, time.Minute); !ended || err != nil {
		t.Errorf("an input that passes ends: %v (%v)", ended, err)
	}
	if _, ended, err := r.Time(t.Context(), proof.Execution{Name: "bad"}, time.Minute); ended || err != nil {
		t.Errorf("an input that fails is timed: %v (%v)", ended, err)
	}
}

func TestAnInputThatEndsItsProcessLaterIsRepeated(t *testing.T) {
	t.Setenv("GORACE", "atexit_sleep_ms=0") // a process with the race detector waits a second at its end
	for _, tt := range []struct {
		name, data string
		f          finding.Finding
		want       proof.Verdict
	}{
		{"a goroutine panics later", "late", finding.Finding{Kind: finding.Fatal, Message: "too late"}, proof.Fails},
		{"a goroutine exits later", "late exit", finding.Finding{Kind: finding.Exit, Output: "fuzzing process hung: exit status 3\n"}, proof.Fails},
		{"a goroutine panics with other words", "late", finding.Finding{Kind: finding.Fatal, Message: "concurrent map writes"}, proof.Passes},
		{"a goroutine exits with another code", "late exit", finding.Finding{Kind: finding.Exit, Output: "fuzzing process hung: exit status 4\n"}, proof.Passes},
		{"the target itself panicked", "late", finding.Finding{Kind: finding.Panic, Message: "too late"}, proof.Passes},
		{"nothing ends the process", "pass", finding.Finding{Kind: finding.Fatal, Message: "too late"}, proof.Passes},
		{"it has passed before", "late", finding.Finding{Kind: finding.Fatal, Message: "too late", Replays: 1}, proof.Passes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := proof.GoTest{Config: configOf(dir, time.Minute), Target: "FuzzX"}
			write(t, filepath.Join(dir, "testdata", "fuzz", "FuzzX", "a"), string(input.Marshal(args(tt.data))))
			got, err := r.Prove(t.Context(), proof.Execution{Name: "a"}, &tt.f)
			if err != nil || got != tt.want || (tt.f.Count > 0) != (tt.want == proof.Fails) {
				t.Fatalf("the replay is %v (%v) with the count %d, want %v", got, err, tt.f.Count, tt.want)
			}
			if got == proof.Passes {
				return
			}
			count := tt.f.Count
			if got, err := r.Prove(t.Context(), proof.Execution{Name: "a"}, &tt.f); err != nil || got != proof.Fails || tt.f.Count != count {
				t.Errorf("the second replay is %v (%v) with the count %d, want that it fails with %d", got, err, tt.f.Count, count)
			}
		})
	}
}

func TestWordsComeFromFilesAndSources(t *testing.T) {
	dir := t.TempDir()
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	write(t, filepath.Join(dir, "given.dict"), "\"given\"\n")
	write(t, seeds+".dict", "\"beside\"\n")
	given, err := ReadDictionaries([]string{filepath.Join(dir, "given.dict")})
	if err != nil {
		t.Fatal(err)
	}
	find, err := FindWords(given, seeds, func(ctx context.Context) [][]byte {
		return dictionary.Sources(ctx, dictionary.Place{Dir: dir, Target: "FuzzX", Getenv: func(string) string { return "" }})
	})
	if err != nil {
		t.Fatal(err)
	}
	words := find(t.Context())
	for i, want := range []string{"given", "beside"} {
		if len(words) <= i || string(words[i]) != want {
			t.Errorf("the words are %q, want %q as number %d", words, want, i)
		}
	}
	if _, err := ReadDictionaries([]string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a file that is not there is read")
	}
	write(t, seeds+".dict", "\"no end\n")
	if _, err := FindWords(nil, seeds, nil); err == nil || !strings.Contains(err.Error(), "FuzzX.dict") {
		t.Errorf("a file that is broken: %v, want an error that names it", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}
