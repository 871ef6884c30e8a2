//go:build unix

package wire

import (
	"bytes"
	"io"
	"os"
	"syscall"
	"testing"
)

func TestFDCarriesMoreThanAPipeHolds(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if err := syscall.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	Adopt(fds[0], fds[1]) // or Write fails when the pipe is full
	want := bytes.Repeat([]byte("gnaw"), 1<<18)
	sent := make(chan error, 1)
	go func() {
		n, err := FD(fds[1]).Write(want)
		if err == nil && n != len(want) {
			err = io.ErrShortWrite
		}
		sent <- err
		_ = syscall.Close(fds[1])
	}()
	got, err := io.ReadAll(FD(fds[0]))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes (%v), want the %d that were written", len(got), err, len(want))
	}
	if err := <-sent; err != nil {
		t.Errorf("Write: %v", err)
	}
	if err := syscall.Close(fds[0]); err != nil {
		t.Error(err)
	}
}

func TestFDReportsABadDescriptor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := FD(r.Fd()).Write([]byte("x")); err == nil {
		t.Error("Write to the end for reading succeeded")
	}
	if _, err := FD(w.Fd()).Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("Read from the end for writing = %v, want an error", err)
	}
}
