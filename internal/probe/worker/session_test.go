//go:build unix

package worker

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// pretend is a fuzz target that counts its edges itself.
type pretend func(t *testing.T, data []byte, p *process)

// process is what a pretend target sees of the process that it runs in.
type process struct {
	counters []byte
	calls    int // calls of the target, this one included
	coord    *shm.Segment
	inputs   [][]byte // of all calls, as they were before the target could change them
	silent   bool     // inputs are not kept
}

// hit counts an edge, as instrumented code does.
func (p *process) hit(edge int) { p.counters[edge]++ }

// numCounters of a pretend target: edges from 64 on lie on other lines than edge 0, which every call hits.
const numCounters = 4096

// session is a coordinator's end of a worker that runs in the same process.
type session struct {
	t    testing.TB
	out  *wire.Writer
	in   *wire.Reader
	seg  *shm.Segment
	p    *process
	done chan error // result of Serve

	release func() // tells the worker that it may go, with Stop
}

// one kind of argument: a byte slice.
var oneBytes = []input.Kind{input.Bytes}

func packed(data string) []byte {
	return input.Append(nil, input.Args{{Kind: input.Bytes, Data: []byte(data)}})
}

// text is the opposite of packed.
func text(t testing.TB, b []byte) string {
	t.Helper()
	a, rest, err := input.Decode(b, oneBytes)
	if err != nil || len(rest) > 0 {
		t.Fatalf("%q is not one packed byte slice: %v", b, err)
	}
	return string(a[0].Data)
}

// target makes the Harness that calls f.
func (p *process) target(f pretend, run RunFunc) Harness {
	return Harness{
		Kinds: oneBytes,
		Call: func(t *testing.T, a input.Args) {
			p.calls++
			if !p.silent {
				p.inputs = append(p.inputs, bytes.Clone(a[0].Data))
			}
			p.hit(0)
			f(t, a[0].Data, p)
		},
		Run:      run,
		Counters: p.counters,
		Protocol: "of this test",
	}
}

// segments returns the two views of a new segment.
func segments(t testing.TB) (coordinator, worker *shm.Segment) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "segment"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if coordinator, err = shm.Create(file); err == nil {
		worker, err = shm.Open(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return coordinator, worker // they stay mapped: the goroutine that receives may touch them to the end
}

// start starts a worker for the pretend target, greets it and sets it up.
func start(t testing.TB, f pretend) *session { return startWith(t, f, imitateTesting) }

func startWith(t testing.TB, f pretend, run RunFunc) *session {
	t.Helper()
	coord, seg := segments(t)
	requestR, requestW := io.Pipe()
	answerR, answerW := io.Pipe()
	s := &session{
		t: t, out: wire.NewWriter(requestW), in: wire.NewReader(answerR), seg: coord,
		p: &process{counters: make([]byte, numCounters), coord: coord}, done: make(chan error, 1),
	}
	var conn Connection
	conn, s.release = connection(requestR, answerW)
	go func() { s.done <- Serve(s.p.target(f, run), conn, seg, nil) }()
	kind, payload := s.next()
	hello, err := wire.DecodeHello(payload)
	if kind != wire.TypeHello || err != nil || hello.Protocol != "of this test" || hello.Counters != numCounters {
		t.Fatalf("the worker greets with %#x %+v (%v)", kind, hello, err)
	}
	s.send(wire.Setup{Seed: 1, TrimMax: 256})
	t.Cleanup(s.stop)
	return s
}

// connection joins pipes with a lifeline that never ends: a worker whose lifeline ends takes the process with it. release says
// through it that the worker may go.
func connection(requests io.Reader, answers io.Writer) (c Connection, release func()) {
	lifeline, life := io.Pipe()
	return Connection{requests, answers, lifeline}, func() { _, _ = life.Write([]byte{0}) }
}

// stop ends the worker.
func (s *session) stop() {
	s.send(wire.Stop{})
	s.release()
	if err := <-s.done; err != nil {
		s.t.Errorf("Serve = %v, want nil after Stop", err)
	}
}

func (s *session) send(m wire.Message) {
	s.t.Helper()
	if err := s.out.Send(m); err != nil {
		s.t.Fatalf("send %T: %v", m, err)
	}
}

func (s *session) next() (wire.Type, []byte) {
	s.t.Helper()
	kind, payload, err := s.in.Next()
	if err != nil {
		s.t.Fatalf("receive: %v", err)
	}
	return kind, payload
}

// run has the worker execute one input.
func (s *session) run(data string, trace bool) wire.Ran {
	s.t.Helper()
	return s.ask(wire.Run{Input: packed(data), Trace: trace})
}

// ask has the worker execute one input, as m says.
func (s *session) ask(m wire.Run) wire.Ran {
	s.t.Helper()
	s.send(m)
	kind, payload := s.next()
	ran, err := wire.DecodeRan(payload)
	if kind != wire.TypeRan || err != nil {
		s.t.Fatalf("the answer to Run is %#x (%v)", kind, err)
	}
	return ran
}

// fuzzed is all that a Fuzz request brought.
type fuzzed struct {
	found  []wire.New
	failed []wire.Failed
	done   wire.Done
}

// fuzz has the worker mutate an entry that it has.
func (s *session) fuzz(m wire.Fuzz) (r fuzzed) {
	s.t.Helper()
	if m.MaxLen == 0 {
		m.MaxLen = 64
	}
	s.send(m)
	for {
		kind, payload := s.next()
		var err error
		switch kind {
		case wire.TypeNew:
			var n wire.New
			n, err = wire.DecodeNew(payload)
			r.found = append(r.found, n)
		case wire.TypeFailed:
			var f wire.Failed
			f, err = wire.DecodeFailed(payload)
			r.failed = append(r.failed, f)
		case wire.TypeDone:
			if r.done, err = wire.DecodeDone(payload); err == nil {
				return r
			}
		default:
			s.t.Fatalf("the answer to Fuzz is %#x", kind)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// fuzzUntil repeats a request until enough says so, for at most 200000 executions.
func (s *session) fuzzUntil(m wire.Fuzz, enough func(fuzzed) bool) {
	s.t.Helper()
	for s.p.calls < 200000 {
		if enough(s.fuzz(m)) {
			return
		}
	}
	s.t.Fatalf("%d executions showed nothing new", s.p.calls)
}

// seed gives the worker an entry and executes it once, so that what it shows is known.
func (s *session) seed(id uint64, data string) {
	s.t.Helper()
	s.send(wire.Entry{ID: id, Input: packed(data)})
	s.run(data, true)
}

// edges returns the counters of features.
func edges(features []cover.Feature) (list []int) {
	for _, f := range features {
		list = append(list, int(f/8))
	}
	return list
}

// imitateTesting is a RunFunc that does with the goroutine of a T what package testing does.
func imitateTesting(loop func(t *testing.T, touched func(func(func()) bool) bool)) (ok bool, output string, logged int) {
	t := new(testing.T)
	bytesOf := func() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(t)), unsafe.Sizeof(*t)) }
	blank := string(bytesOf())
	var log strings.Builder
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() {
			switch r := recover(); {
			case r != nil:
				fmt.Fprintf(&log, "    testing.go:1: panic: %v\n%s", r, debug.Stack())
				t.Fail()
			case !returned && !t.Failed() && !t.Skipped():
				fmt.Fprint(&log, "    testing.go:1: test executed panic(nil) or runtime.Goexit\n")
				t.Fail()
			}
			ended <- !t.Failed()
		}()
		loop(t, func(func(func()) bool) bool { return string(bytesOf()) != blank })
		returned = true
	}()
	ok = <-ended
	return ok, log.String(), strings.Count(log.String(), "\n")
}

// misbehave does to T, or to its goroutine, what the input says.
func misbehave(t *testing.T, data []byte, p *process) {
	switch {
	case bytes.HasPrefix(data, []byte("fail")):
		t.Fail()
	case bytes.HasPrefix(data, []byte("now")):
		t.FailNow()
	case bytes.HasPrefix(data, []byte("skip")):
		t.SkipNow()
	case bytes.HasPrefix(data, []byte("panic")):
		panic("no way")
	case bytes.HasPrefix(data, []byte("goexit")):
		runtime.Goexit()
	case bytes.HasPrefix(data, []byte("touch")):
		t.Helper()
	}
}

// offline returns a worker without a coordinator, ready for bursts on one entry.
func offline(t testing.TB, f pretend, entry string) (*worker, *process) {
	t.Helper()
	coord, seg := segments(t)
	p := &process{counters: make([]byte, numCounters), coord: coord, silent: true}
	w := newWorker(p.target(f, imitateTesting), io.Discard, seg, nil)
	w.mut.havoc.Rand = mutate.NewRand(1)
	w.mut.add(1, input.Args{{Kind: input.Bytes, Data: []byte(entry)}})
	w.mut.pick(1)
	w.mut.reserve(256)
	go w.run.exec.wait()
	t.Cleanup(w.run.exec.close)
	return w, p
}

// answerTo has a worker without a coordinator write what it would send.
func (w *worker) answerTo(to io.Writer) {
	w.out = wire.NewWriter(to)
	w.feed.out = w.out
}

// all returns the features from low on, below high.
func all(low, high cover.Feature) (features []cover.Feature) {
	for f := low; f < high; f++ {
		features = append(features, f)
	}
	return features
}

// wantGranted makes a request, and wants all executions that it grants to be made and reported, unless a new edge ends it.
func (s *session) wantGranted(m wire.Fuzz) {
	s.t.Helper()
	before := s.p.calls
	r := s.fuzz(m)
	made := uint64(s.p.calls - before)
	if r.done.Execs != made || made > m.Execs {
		s.t.Fatalf("granted %d executions: reported %d, made %d", m.Execs, r.done.Execs, made)
	}
	newEdge := slices.ContainsFunc(r.found, func(n wire.New) bool { return n.Edges > 0 })
	if made < m.Execs && !newEdge {
		s.t.Fatalf("granted %d executions: made %d although nothing ended the request", m.Execs, made)
	}
}
