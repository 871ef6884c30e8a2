// Package hostile has targets that do to their process what targets should not do.
package hostile

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// onX makes act the target of f, for inputs that are 'x'.
func onX(f *testing.F, act func(t *testing.T)) {
	f.Add(byte('a'))
	f.Fuzz(func(t *testing.T, b byte) {
		if b == 'x' {
			act(t)
		}
	})
}

func FuzzCloseFiles(f *testing.F) {
	onX(f, func(*testing.T) {
		for fd := 3; fd < 1024; fd++ {
			_ = syscall.Close(fd)
		}
	})
}

func FuzzExit0(f *testing.F) { onX(f, func(*testing.T) { os.Exit(0) }) }

func FuzzExit3(f *testing.F) { onX(f, func(*testing.T) { os.Exit(3) }) }

func FuzzAbort(f *testing.F) {
	onX(f, func(*testing.T) {
		_ = syscall.Kill(os.Getpid(), syscall.SIGABRT)
		select {} // the signal may take a moment
	})
}

func FuzzLeakGoroutines(f *testing.F) {
	f.Fuzz(func(t *testing.T, b byte) { go func() { select {} }() })
}

var once sync.Once

// write writes as many MiB as the variable says, once per process.
func write(w io.Writer) {
	once.Do(func() {
		n, err := strconv.Atoi(os.Getenv("MEGABYTES"))
		if err != nil {
			panic(err)
		}
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = "0123456789abcde\n"[i%16]
		}
		for range n {
			if _, err := w.Write(block); err != nil {
				panic(err)
			}
		}
	})
}

func FuzzStdout(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { write(os.Stdout) }) }

func FuzzStderr(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { write(os.Stderr) }) }

// FuzzStderrAndExit ends its process after that.
func FuzzStderrAndExit(f *testing.F) {
	onX(f, func(t *testing.T) {
		write(os.Stderr)
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(5)
	})
}

var kept [][]byte

// FuzzRetain keeps its inputs and changes all that it has.
func FuzzRetain(f *testing.F) {
	f.Add([]byte("hello, world"))
	spaces := 0
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, c := range b {
			if c == ' ' {
				spaces++
			}
		}
		if len(kept) < 100 {
			kept = append(kept, b)
		}
		for _, k := range kept {
			for i := range k {
				k[i] = 0xee
			}
		}
		_ = append(b, "behind the end"...)
	})
}

// FuzzModifyAndFail changes the input that it fails with.
func FuzzModifyAndFail(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 && b[0] == 'x' {
			b[0] = 'y'
			t.Fatal("it was an x")
		}
	})
}

// child starts a process that holds the streams of this one.
func child() {
	cmd := exec.Command("sleep", "60")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

func FuzzChild(f *testing.F) { f.Fuzz(func(t *testing.T, b byte) { once.Do(child) }) }

func FuzzChildAndExit(f *testing.F) { onX(f, func(t *testing.T) { child(); os.Exit(3) }) }

// FuzzSignals hears interrupts and requests for stacks, and then hangs.
func FuzzSignals(f *testing.F) {
	onX(f, func(t *testing.T) {
		signal.Ignore(os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM)
		time.Sleep(time.Hour)
	})
}

// FuzzSignalsRun hears them too, and is quick.
func FuzzSignalsRun(f *testing.F) {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGQUIT)
	f.Fuzz(func(t *testing.T, b byte) {})
}

func FuzzQuick(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) {}) }

// FuzzSlow takes long for each input. When it has begun there is a file.
func FuzzSlow(f *testing.F) {
	f.Fuzz(func(t *testing.T, b byte) {
		if err := os.WriteFile(os.Getenv("BEGUN"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		time.Sleep(8 * time.Second)
	})
}
