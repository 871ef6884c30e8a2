//go:build unix

package coordinator

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// The test binary is that of a target too. It fails with the input "fail".
func TestMain(m *testing.M) {
	testkit.BeTarget(testkit.FakeTarget{
		Protocol: overlay.Protocol(), Seeds: []string{"seed"},
		Call: func(t *testing.T, edges []byte, data string) {
			edges[len(data)%testkit.Edges]++
			if data == "fail" {
				t.Fail()
			}
		},
	})
	os.Exit(m.Run())
}

// listener notes how many events it gets. started is closed with the first event.WarmUp.
type listener struct {
	mu       sync.Mutex
	started  chan struct{}
	once     sync.Once
	progress int
}

func (l *listener) event(e event.Stamped) {
	switch e.Event.(type) {
	case event.WarmUp:
		l.once.Do(func() { close(l.started) })
	case event.Progress:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.progress++
	}
}

// newRun returns the job of a test process that ends with its first failure, and what the coordinator has beside.
func newRun(t *testing.T) (Options, host.Job, *listener) {
	t.Helper()
	dir := t.TempDir()
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	job := host.Job{
		Protocol: overlay.Protocol(), Executable: os.Args[0], Args: []string{"-test.fuzzworker"}, Target: "FuzzX", Kinds: []input.Kind{input.String},
		CorpusDir: seeds, WriteDir: seeds, CacheDir: filepath.Join(dir, "cache"), Parallel: 1, FailFast: true,
	}
	l := &listener{started: make(chan struct{})}
	bus := &event.Bus{}
	bus.Subscribe(l.event)
	return Options{Dir: dir, Environ: append(os.Environ(), testkit.TargetEnv+"=1"), Notices: io.Discard, Events: bus, Interval: time.Minute}, job, l
}

func TestARunEndsWithAFailure(t *testing.T) {
	o, job, p := newRun(t)
	packed := input.Append(nil, input.Args{{Kind: input.String, Data: []byte("fail")}})
	job.Seeds = []host.Seed{{Name: "seed#0", Packed: packed}}
	got := Run(t.Context(), o, job)
	if got.CrashPath != "" || !strings.Contains(got.Error, "x_test.go:7: no") {
		t.Errorf("the result is %+v, want the failure of the seed", got)
	}
	if p.progress != 1 {
		t.Errorf("subscribers get the progress %d times before the result, want once at the end", p.progress)
	}
}

func TestARunEndsWithItsLimit(t *testing.T) {
	o, job, p := newRun(t)
	job.FuzzLimit = 100
	if got := Run(t.Context(), o, job); got != (host.Result{}) || p.progress != 1 {
		t.Errorf("the result is %+v, and subscribers get the progress %d times", got, p.progress)
	}
}

func TestARunThatCannotStartIsAnError(t *testing.T) {
	o, job, p := newRun(t)
	job.Executable = filepath.Join(o.Dir, "none")
	if got := Run(t.Context(), o, job); !strings.Contains(got.Error, "no such file") || p.progress != 0 {
		t.Errorf("the result is %+v, and subscribers get the progress %d times", got, p.progress)
	}
	job.Protocol = "other"
	if got := Run(t.Context(), o, job); !strings.HasPrefix(got.Error, "this test binary was built by another version of gnaw") {
		t.Errorf("the result is %+v", got)
	}
}

// serve runs a job over pipes. ask is called when fuzzing has started.
func serve(t *testing.T, ask func(jobs io.WriteCloser, interrupts chan<- os.Signal)) (host.Result, error) {
	t.Helper()
	o, job, p := newRun(t)
	in, jobs := io.Pipe()
	interrupts := make(chan os.Signal)
	go func() {
		_ = json.NewEncoder(jobs).Encode(job)
		<-p.started
		ask(jobs, interrupts)
	}()
	var out bytes.Buffer
	err := Serve(t.Context(), Connection{Jobs: in, Results: &out, Interrupts: interrupts, Abort: func() { t.Error("it is aborted") }}, o)
	var res host.Result
	if jsonErr := json.Unmarshal(out.Bytes(), &res); err == nil && jsonErr != nil {
		t.Errorf("the result is %q: %v", out.String(), jsonErr)
	}
	_ = in.Close()
	return res, err
}

func TestARunEndsWhenItIsAsked(t *testing.T) {
	for name, ask := range map[string]func(io.WriteCloser, chan<- os.Signal){
		"by the test process":            func(jobs io.WriteCloser, _ chan<- os.Signal) { _, _ = io.WriteString(jobs, "stop\n") },
		"by the end of the test process": func(jobs io.WriteCloser, _ chan<- os.Signal) { _ = jobs.Close() },
		"by the user":                    func(_ io.WriteCloser, interrupts chan<- os.Signal) { interrupts <- os.Interrupt },
		"by a closed terminal":           func(_ io.WriteCloser, interrupts chan<- os.Signal) { interrupts <- syscall.SIGHUP },
	} {
		if res, err := serve(t, ask); err != nil || res != (host.Result{}) {
			t.Errorf("%s: the result is %+v (%v)", name, res, err)
		}
	}
}

func TestAJobThatCannotBeReadIsAnError(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "no line": "{}", "no JSON": "job\n"} {
		var out bytes.Buffer
		bus, events := &event.Bus{}, 0
		bus.Subscribe(func(event.Stamped) { events++ })
		err := Serve(t.Context(), Connection{Jobs: strings.NewReader(text), Results: &out}, Options{Events: bus})
		if err == nil || !strings.HasPrefix(err.Error(), "read the job of the test process: ") || out.Len() > 0 {
			t.Errorf("%s: the error is %v, and the result %q", name, err, out.String())
		}
		bus.Publish(event.Notice{}) // nothing comes after Serve
		bus.Close()
		if events > 0 {
			t.Errorf("%s: Serve does not close the bus", name)
		}
	}
}

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestAResultThatCannotBeWrittenIsAnError(t *testing.T) {
	err := Serve(t.Context(), Connection{Jobs: strings.NewReader("{}\n"), Results: fullWriter{}}, Options{Events: &event.Bus{}})
	if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "report the result to the test process: ") {
		t.Errorf("the error is %v", err)
	}
}

// One ^C arrives as a signal and as a line. Whoever asks twice ends the process at once.
func TestASecondRequestAborts(t *testing.T) {
	for _, tt := range []struct {
		name            string
		lines, signals  int
		hangups         int
		cancels, aborts int
	}{
		{"one ^C", 1, 1, 0, 2, 0},
		{"two lines", 2, 0, 0, 1, 1},
		{"two signals", 0, 2, 0, 1, 1},
		{"a terminal that is closed", 0, 0, 3, 3, 0},
	} {
		in, lines := io.Pipe()
		interrupts, calls, done := make(chan os.Signal), make(chan string, 8), make(chan struct{})
		c := Connection{Interrupts: interrupts, Abort: func() { calls <- "abort" }}
		var obeying sync.WaitGroup
		obeying.Go(func() { c.obey(bufio.NewReader(in), done, func() { calls <- "cancel" }) })
		count := map[string]int{}
		ask := func(request func()) { request(); count[<-calls]++ }
		for range tt.lines {
			ask(func() { _, _ = io.WriteString(lines, "stop\n") })
		}
		for range tt.signals {
			ask(func() { interrupts <- os.Interrupt })
		}
		for range tt.hangups {
			ask(func() { interrupts <- syscall.SIGHUP })
		}
		close(done)
		obeying.Wait()
		_ = lines.Close()
		if count["cancel"] != tt.cancels || count["abort"] != tt.aborts {
			t.Errorf("%s: %v, want %d times cancel and %d times abort", tt.name, count, tt.cancels, tt.aborts)
		}
	}
}

func TestTheBinaryWithoutInstrumentationIsNotThere(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Environ: os.Environ()}
	b := prepare(t.Context(), o, build.PlainBuild{Dir: filepath.Join(dir, "none")})
	<-b.ready
	if path, err := b.build(t.Context()); err == nil {
		t.Errorf("it is built as %s from a folder that does not exist", path)
	}
	b.close(io.Discard)

	waiting := &plainBinary{cancel: func() {}, ready: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := waiting.build(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}
