//go:build unix

package worker

import (
	"runtime"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// TestAWorkerUsesItsShareOfTheProcessors counts in how many requests of 32 a target has all processors.
func TestAWorkerUsesItsShareOfTheProcessors(t *testing.T) {
	const requests, share, all = 2 * allIn, 1, 4
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(all))
	var p processors
	if p.limit(share); p.share == 0 {
		t.Fatal("this runtime does not count goroutines, as those of Go 1.26 and later do")
	}
	for _, tt := range []struct {
		name   string
		share  int
		spawns func(procs, request int) bool
		want   int
		skips  bool
	}{
		{"a target that starts no goroutines has all in a few", share, func(int, int) bool { return false }, 2, false},
		{"one that skips has all in a few", share, func(int, int) bool { return false }, 2, true},
		{"one that starts goroutines has all in each", share, func(int, int) bool { return true }, requests, false},
		{"one that starts goroutines and skips has all in each", share, func(int, int) bool { return true }, requests, true},
		{"one that starts them only where there are several processors too", share, func(procs, _ int) bool { return procs > 1 }, requests, false},
		{"one that starts them later has all from then on", share, func(_, request int) bool { return request >= allIn }, 1 + allIn, false},
		{"a worker whose share is all", all, func(int, int) bool { return false }, requests, false},
		{"a worker that was told of no share", 0, func(int, int) bool { return false }, requests, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runtime.GOMAXPROCS(all)
			request, procs := 0, 0
			s := start(t, func(t *testing.T, _ []byte, p *process) {
				p.silent = true
				if procs = runtime.GOMAXPROCS(0); tt.spawns(procs, request) {
					done := make(chan bool)
					go func() { done <- true }()
					<-done
				}
				if tt.skips {
					t.SkipNow()
				}
			})
			s.send(wire.Setup{Seed: 1, TrimMax: 256, Procs: tt.share})
			s.seed(1, "some entry")
			if procs != all {
				t.Errorf("a seed is executed with %d processors, want all %d", procs, all)
			}
			complete := 0
			for ; request < requests; request++ {
				s.fuzz(wire.Fuzz{ID: 1, Execs: 200})
				switch procs {
				case all:
					complete++
				case share:
				default:
					t.Fatalf("%d processors, want %d or %d", procs, share, all)
				}
			}
			if complete != tt.want {
				t.Errorf("%d of %d requests had all processors, want %d", complete, requests, tt.want)
			}
		})
	}
}
