// Package host passes a fuzz target to gnaw.
//
// It runs in the test process of `go test -fuzz`, in place of Go's coordinator: [Coordinate] starts the gnaw command, sends it a
// [Job], waits, and returns its [Result] to F.Fuzz. The gnaw process starts the workers, writes the corpus and prints the progress.
// The pipe of the Job stays open: if the test process ends, gnaw ends too, and with it the workers.
package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Command is the argument by which gnaw knows that a test process started it.
const Command = "coordinate"

// PathEnv is the environment variable with the path of the gnaw command.
const PathEnv = "GNAW"

// ParentEnv is the environment variable with the process number of the go command, when gnaw started that. If it is
// the parent of the test process and dies, the test process is of no use to anyone.
const ParentEnv = "GNAW_GO"

// builtBy and protocol are set by a file that is generated into the overlay.
var (
	builtBy  string // path of the gnaw command that built this binary, if that may last
	protocol string // hash of the injected sources
)

// Protocol returns the hash of the injected sources; worker and coordinator must agree on it.
func Protocol() string { return protocol }

// Job is what to fuzz. Durations are in nanoseconds.
type Job struct {
	Protocol      string
	Executable    string        // test binary, absolute
	Args          []string      // of the worker processes
	Target        string        // name of the fuzz target
	Kinds         []input.Kind  // types of its arguments
	Seeds         []Seed        // of F.Add and of testdata, checked
	Folder        string        // in which the processes start; empty: that of the test process
	CorpusDir     string        // directory for failing inputs, as it is shown to the user
	WriteDir      string        // the same directory for those in Folder
	CacheDir      string        // directory for interesting inputs
	FuzzTime      time.Duration // 0: no limit
	FuzzLimit     int64         // executions; 0: no limit
	MinimizeTime  time.Duration
	MinimizeLimit int64 // executions; 0 with MinimizeTime 0: do not minimize
	Parallel      int   // workers; 0: GOMAXPROCS
	FailFast      bool  // the first failure ends it
}

// Seed is one input that the user gave.
type Seed struct {
	Name   string // "seed#0" for F.Add, the path of the file otherwise
	Packed []byte
}

// Result is how fuzzing ended.
type Result struct {
	Error     string // empty: nothing was found
	CrashPath string // file with the failing input, if that is what was found
}

// CrashError is a failing input that was written to the corpus. Package testing asks it for the path.
type CrashError struct{ Result Result }

// Error returns the output of the failing execution.
func (e *CrashError) Error() string { return e.Result.Error }

// Unwrap returns nil; package testing asks for the method.
func (e *CrashError) Unwrap() error { return nil }

// CrashPath returns the path of the file with the failing input.
func (e *CrashError) CrashPath() string { return e.Result.CrashPath }

// Coordinate has gnaw fuzz the target of the job and returns when it is done: nil if nothing was found, a *CrashError
// for a failing input, another error for everything else. Interrupts are passed on; gnaw then stops in good order.
func Coordinate(job Job) error {
	job.Protocol = protocol
	gnaw, err := findGnaw()
	if err != nil {
		return err
	}
	// gnaw gets the interrupt of a terminal itself; one that is sent to this process alone is passed on.
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)

	p, err := start(gnaw, job)
	if err != nil {
		return fmt.Errorf("start gnaw (%s): %w", gnaw, err)
	}
	orphan := watchParent()
	defer orphan.Stop()
	for {
		select {
		case <-interrupts:
			p.say("stop")
		case <-orphan.C:
			if orphaned() {
				p.say("stop")
			}
		case r := <-p.result:
			return p.finish(r)
		}
	}
}

// findGnaw returns the path of the gnaw command: what gnaw itself or the user said, what built this binary, or what is in PATH.
func findGnaw() (string, error) {
	if path := os.Getenv(PathEnv); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("the environment variable %s names no gnaw: %w; correct or unset it", PathEnv, err)
		}
		return path, nil
	}
	if builtBy != "" {
		if _, err := os.Stat(builtBy); err == nil {
			return builtBy, nil
		}
	}
	path, err := exec.LookPath("gnaw")
	if err != nil {
		return "", fmt.Errorf("this test binary was built by gnaw, which is not installed here: put gnaw into PATH or its path into the environment variable %s", PathEnv)
	}
	return filepath.Abs(path)
}

// process is a running gnaw.
type process struct {
	cmd      *exec.Cmd
	lifeline io.WriteCloser
	result   chan reply
}

// reply is what came back through the result pipe.
type reply struct {
	Result
	err error
}

func start(gnaw string, job Job) (*process, error) {
	resultR, resultW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(gnaw, Command)
	cmd.Stderr, cmd.Dir = os.Stderr, job.Folder
	cmd.ExtraFiles = []*os.File{resultW}
	lifeline, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	resultW.Close()
	if err != nil {
		resultR.Close()
		return nil, err
	}
	p := &process{cmd: cmd, lifeline: lifeline, result: make(chan reply, 1)}
	// A failure to write shows as a missing result.
	_ = json.NewEncoder(lifeline).Encode(job)
	go func() {
		defer resultR.Close()
		var r reply
		r.err = json.NewDecoder(bufio.NewReader(resultR)).Decode(&r.Result)
		p.result <- r
	}()
	return p, nil
}

// say sends a word to gnaw. That gnaw is gone shows as a missing result.
func (p *process) say(word string) { _, _ = io.WriteString(p.lifeline, word+"\n") }

// finish waits for the process and turns its reply into an error of F.Fuzz.
func (p *process) finish(r reply) error {
	_ = p.lifeline.Close() // a gnaw in a wrapper of the user's may end no earlier
	waitErr := p.cmd.Wait()
	switch {
	case r.err != nil && waitErr != nil:
		return fmt.Errorf("gnaw ended without a result: %w", waitErr)
	case r.err != nil:
		return fmt.Errorf("gnaw ended without a result: %w", r.err)
	case r.CrashPath != "":
		return &CrashError{r.Result}
	case r.Error != "":
		return errors.New(r.Error)
	}
	return nil
}

// watchParent returns a ticker that fires if this process may become an orphan.
func watchParent() *time.Ticker {
	t := time.NewTicker(time.Second)
	if os.Getenv(ParentEnv) != fmt.Sprint(os.Getppid()) {
		t.Stop()
	}
	return t
}

func orphaned() bool { return os.Getenv(ParentEnv) != fmt.Sprint(os.Getppid()) }
