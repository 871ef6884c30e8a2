//go:build unix

package worker

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// orphanEnv has the test binary serve as a worker without a coordinator, with its segment in the folder that it names:
// that ends the process.
const orphanEnv = "GNAW_TEST_ORPHAN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(orphanEnv); dir != "" {
		serveOrphan(dir)
	}
	os.Exit(m.Run())
}

func TestHelloDescribesTheTarget(t *testing.T) {
	_, seg := segments(t)
	target := Harness{
		Kinds: []input.Kind{input.String, input.Int}, Protocol: "p", Race: true, Counters: make([]byte, 77),
		Seeds: []input.Args{{{Kind: input.String, Data: []byte("a")}, {Kind: input.Int, Bits: 1}}},
	}
	requestR, requestW := io.Pipe()
	answerR, answerW := io.Pipe()
	done := make(chan error, 1)
	conn, release := connection(requestR, answerW)
	go func() { done <- Serve(target, conn, seg, nil) }()
	_, payload, err := wire.NewReader(answerR).Next()
	if err != nil {
		t.Fatal(err)
	}
	hello, err := wire.DecodeHello(payload)
	if err != nil || hello.Protocol != "p" || !hello.Race || hello.Counters != 77 || !slices.Equal(hello.Kinds, target.Kinds) {
		t.Errorf("Hello = %+v (%v), want the fields of %+v", hello, err, target)
	}
	if len(hello.Seeds) != 1 || !bytes.Equal(hello.Seeds[0], input.Append(nil, target.Seeds[0])) {
		t.Errorf("the seeds of Hello are %q", hello.Seeds)
	}
	if err := wire.NewWriter(requestW).Send(wire.Stop{}); err != nil {
		t.Fatal(err)
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
}

func TestBadRequestsEndServe(t *testing.T) {
	for _, m := range []wire.Message{
		wire.Entry{ID: 1, Input: []byte("not packed")},
		wire.Run{Input: append(packed("x"), 0)},
		wire.Compare{Input: append(packed("x"), 0)},
		wire.Ran{},
	} {
		s := start(t, misbehave)
		s.send(m)
		if err := <-s.done; err == nil {
			t.Errorf("Serve = nil after the bad request %+v", m)
		}
		s.done <- nil                      // for stop
		s.out = wire.NewWriter(io.Discard) // nobody reads any more
	}
}

func TestTheEndOfTheStreamEndsServe(t *testing.T) {
	for _, tt := range []struct{ stream, want string }{
		{"", "<nil>"},
		{"!", "read from the coordinator: invalid character '!' looking for beginning of value"},
		{"\x82\x01", "read from the coordinator: unexpected EOF"},
	} {
		_, seg := segments(t)
		conn, _ := connection(strings.NewReader(tt.stream), io.Discard)
		if err := Serve(Harness{Kinds: oneBytes, Run: imitateTesting}, conn, seg, nil); fmt.Sprint(err) != tt.want {
			t.Errorf("Serve = %v for a stream of %q, want %s", err, tt.stream, tt.want)
		}
	}
}

// serveOrphan is the process of TestAWorkerDoesNotOutliveItsCoordinator. Its target runs until it is preempted, and
// then hangs.
func serveOrphan(dir string) {
	file, err := os.Create(filepath.Join(dir, "segment"))
	if err != nil {
		panic(err)
	}
	seg, err := shm.Create(file)
	if err != nil {
		panic(err)
	}
	var requests bytes.Buffer
	for _, m := range []wire.Message{wire.Setup{}, wire.Run{Input: packed("")}} {
		if err := wire.NewWriter(&requests).Send(m); err != nil {
			panic(err)
		}
	}
	target := Harness{Kinds: oneBytes, Run: imitateTesting, Call: func(*testing.T, input.Args) {
		for !seg.Preempted() {
			runtime.Gosched()
		}
		fmt.Println("preempted")
		select {}
	}}
	err = Serve(target, Connection{&requests, io.Discard, strings.NewReader("")}, seg, nil)
	panic(fmt.Sprintf("Serve returned: %v", err))
}

func TestAWorkerDoesNotOutliveItsCoordinator(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", orphanEnv+"="+dir)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != exitLostPipes || string(out) != "preempted\n" {
		t.Errorf("an orphan printed %q and ended by %v, want it preempted and exit code %d", out, err, exitLostPipes)
	}
	file, err := os.OpenFile(filepath.Join(dir, "segment"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seg, err := shm.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer seg.Close()
	if seg.Cause() != shm.Lost {
		t.Errorf("the orphan left the cause %v", seg.Cause())
	}
}
