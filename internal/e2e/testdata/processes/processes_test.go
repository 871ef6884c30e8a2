// Package processes has targets that have to do with what surrounds their process.
package processes

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv("BLOCK") != "" {
		child := exec.Command("sleep", "600")
		if err := child.Start(); err != nil {
			panic(err)
		}
		begin()
		_ = child.Wait() // select {} is a deadlock, which ends the process
	}
	if os.Getenv("CATCH") != "" { // all signals, as a server that logs them
		signals := make(chan os.Signal, 16)
		signal.Notify(signals)
		go func() {
			for range signals {
			}
		}()
	}
	os.Exit(m.Run())
}

// begin says that something has begun.
func begin() {
	if err := os.WriteFile(os.Getenv("BEGUN"), nil, 0o666); err != nil {
		panic(err)
	}
}

// FuzzTool runs a command.
func FuzzTool(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, _ string) {
		begin()
		if out, err := exec.Command("sleep", "0.3").CombinedOutput(); err != nil {
			t.Fatalf("tool: %v %s", err, out)
		}
	})
}

// FuzzNotify stops when it is interrupted, as a command does.
func FuzzNotify(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, _ string) {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		begin()
		select {
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	})
}

// FuzzWork uses the processor for half a second.
func FuzzWork(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, _ string) {
		begin()
		for end := used() + 500*time.Millisecond; used() < end; {
			for range 1000 {
				sink++
			}
		}
	})
}

// used returns how long the process has had a processor.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// FuzzHang hangs at two places.
func FuzzHang(f *testing.F) {
	f.Add("a")
	f.Add("1")
	f.Add("2")
	f.Fuzz(func(t *testing.T, s string) {
		switch s {
		case "1":
			first()
		case "2":
			second()
		}
	})
}

var sink int

func first() {
	for {
		sink++
	}
}

func second() {
	<-make(chan int)
}

// FuzzAlone wants what only one process can have.
func FuzzAlone(f *testing.F) {
	lock, err := os.OpenFile(os.Getenv("LOCK"), os.O_CREATE|os.O_RDWR, 0o666)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		f.Fatalf("start the environment: %v", err)
	}
	f.Cleanup(func() { lock.Close() })
	f.Fuzz(func(t *testing.T, _ string) {})
}

var hold [][]byte

// FuzzGreedy needs 900 MB for one input.
func FuzzGreedy(f *testing.F) {
	f.Add(byte('a'))
	f.Fuzz(func(t *testing.T, b byte) {
		if b != 'x' {
			return
		}
		for range 900 {
			block := make([]byte, 1<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			hold = append(hold, block)
		}
		time.Sleep(300 * time.Millisecond) // works with it
		hold = nil
	})
}
