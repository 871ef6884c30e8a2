//go:build unix

package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/probe/worker"
)

// TargetEnv is the variable that has a test binary be that of a fuzz target; see [BeTarget].
const TargetEnv = "GNAW_TESTKIT_TARGET"

// FakeTarget is a fuzz target with one argument, a string, in a test binary that only pretends to be its.
type FakeTarget struct {
	Protocol string // of the coordinator
	Seeds    []string
	// Call is the function that F.Fuzz is given. Counters are those of the code that it executes; edges has [Edges] of them.
	Call func(t *testing.T, edges []byte, data string)
}

// Edges is how many counters a [FakeTarget] has.
const Edges = 256

// Descriptors of a worker.
const (
	fdRequests = 3 + iota
	fdAnswers
	fdSegment
	fdGlobal
	fdLifeline
)

// BeTarget is called first in TestMain. In a process that was started with [TargetEnv] it does what the test binary of the target would
// do by its arguments: serve as a worker, or run one failing input as go test does; it does not return then.
func BeTarget(target FakeTarget) {
	if os.Getenv(TargetEnv) == "" {
		return
	}
	run, count := "", 1
	for _, arg := range os.Args[1:] {
		if arg == "-test.fuzzworker" {
			os.Exit(target.serve())
		}
		if pattern, ok := strings.CutPrefix(arg, "-test.run="); ok {
			run = pattern
		}
		if n, ok := strings.CutPrefix(arg, "-test.count="); ok {
			count, _ = strconv.Atoi(n)
		}
	}
	for range count {
		if code := target.test(run); code != 0 {
			os.Exit(code)
		}
	}
	os.Exit(0)
}

// serve is a worker.
func (target FakeTarget) serve() int {
	wire.Adopt(fdRequests, fdAnswers, fdSegment, fdGlobal, fdLifeline)
	seg, err := shm.Open(os.NewFile(fdSegment, "segment"))
	if err != nil {
		panic(err)
	}
	global, err := shm.Map(os.NewFile(fdGlobal, "global"), cover.GlobalSize(Edges))
	if err != nil {
		panic(err)
	}
	w := worker.Harness{Kinds: []input.Kind{input.String}, Counters: make([]byte, Edges), Protocol: target.Protocol}
	for _, s := range target.Seeds {
		w.Seeds = append(w.Seeds, input.Args{{Kind: input.String, Data: []byte(s)}})
	}
	w.Run = func(loop func(*testing.T, func(func(func()) bool) bool)) (ok bool, output string, logged int) {
		t := new(testing.T)
		loop(t, func(func(func()) bool) bool { return t.Failed() })
		return !t.Failed(), failed, 1
	}
	w.Call = func(t *testing.T, a input.Args) { target.Call(t, w.Counters, string(a[0].Data)) }
	conn := worker.Connection{Requests: wire.FD(fdRequests), Answers: wire.FD(fdAnswers), Lifeline: wire.FD(fdLifeline)}
	if err := worker.Serve(w, conn, seg, global); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	return 0
}

// failed is what package testing logs of a failure.
const failed = "    x_test.go:7: no\n"

// inputOf is a pattern of -test.run that asks for one input of a target.
var inputOf = regexp.MustCompile(`^\^?(\w+)\$?/\^?([^/$]+)\$?$`)

// test runs one input as go test does, and says so as with -test.v=test2json.
func (target FakeTarget) test(pattern string) int {
	m := inputOf.FindStringSubmatch(pattern)
	if m == nil {
		return 0 // what is asked for does not exist
	}
	fmt.Printf("\x16=== RUN   %s\n", m[1])
	a, err := corpus.Read(filepath.Join("testdata", "fuzz", m[1], m[2]), corpus.GoTest([]input.Kind{input.String}))
	if err != nil {
		fmt.Printf("\x16--- PASS: %s (0.00s)\n", m[1])
		return 0
	}
	name := m[1] + "/" + m[2]
	fmt.Printf("\x16=== RUN   %s\n", name)
	t := new(testing.T)
	target.Call(t, make([]byte, Edges), string(a[0].Data))
	if t.Failed() {
		fmt.Printf("\x16--- FAIL: %s (0.00s)\n\x16    --- FAIL: %s (0.00s)\n    %s", m[1], name, failed)
		return 1
	}
	fmt.Printf("\x16--- PASS: %s (0.00s)\n\x16    --- PASS: %s (0.00s)\n", m[1], name)
	return 0
}
