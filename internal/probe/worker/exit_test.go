package worker

import (
	"strings"
	"testing"
)

func TestTheStackOfAnExitBeginsWithTheTarget(t *testing.T) {
	const below = "example.com/p.parse({0x1, 0x2})\n\t/src/p/p.go:7 +0x5\ncreated by testing.gnawWork in goroutine 1\n\t/go/src/testing/fuzz.go:1 +0x2\n"
	for _, tt := range []struct{ name, stack string }{
		{"os.Exit", "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x5e\ninternal/fuzz/gnaw/probe/worker.leaves(0x1)\n" +
			"\t/x/leave.go:1 +0x1\nos.Exit(0x3)\n\t/go/src/os/proc.go:62 +0x1\n" + below},
		{"log.Fatal", "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x5e\nos.Exit(0x1)\n\t/go/src/os/proc.go:62 +0x1\n" +
			"log.(*Logger).Fatalf(0x1)\n\t/go/src/log/log.go:9 +0x1\nlog.Fatalf(...)\n\t/go/src/log/log.go:8 +0x1\n" + below},
		{"a module whose path begins like package log", "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x5e\nos.Exit(0x3)\n" +
			"\t/go/src/os/proc.go:62 +0x1\n" + strings.ReplaceAll(below, "example.com/p.parse", "log.example.com/p.parse")},
		{"no call of os.Exit", "goroutine 7 [running]:\n" + below},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := "goroutine 7 [running]:\n" + below
			if got := strings.ReplaceAll(exitStack(tt.stack), "log.example", "example"); got != want {
				t.Errorf("the stack is\n%s\nwant\n%s", got, want)
			}
		})
	}
}
