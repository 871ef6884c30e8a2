// Package proc ends its process in many ways.
package proc

import (
	"os"
	"runtime"
	"sync"

	"example.com/planted/deep"
)

// End ends the process, or the goroutine.
func End(how string) {
	switch how {
	case "exit":
		os.Exit(3) // bug 22
	case "halt":
		var done sync.WaitGroup
		done.Add(1)
		go func() {
			defer done.Done()
			panic("elsewhere") // bug 23
		}()
		done.Wait()
	case "quit":
		runtime.Goexit() // bug 25
	case "lock":
		var mu sync.Mutex
		mu.Unlock() // bug 26
	}
}

// Share writes a map from several goroutines.
func Share(how string) {
	if how != "maps" {
		return
	}
	m := map[int]int{}
	var done sync.WaitGroup
	for i := range 4 {
		done.Add(1)
		go func() {
			defer done.Done()
			for j := range 1_000_000 {
				m[i] = j // bug 24
			}
		}()
	}
	done.Wait()
}

// Walk recurses.
func Walk(b []byte) int {
	if len(b) > 1 && b[0] == 'R' && b[1] == '!' {
		return loop(b)
	}
	return deep.Nest(b, 0)
}

// loop has large frames, so that its stack overflows soon.
func loop(b []byte) int {
	var frame [4096]byte
	frame[len(b)] = 1
	return loop(frame[:len(b)]) + int(frame[0]) // bug 27
}

// Wait never ends.
func Wait(how string) {
	switch how {
	case "spin":
		for n := 0; ; n++ { // bug 28
			if n < 0 {
				n = 0
			}
		}
	}
}

// Block waits for nobody.
func Block(how string) {
	if how == "wait" {
		<-make(chan int) // bug 29
	}
}

var kept [][]byte

// Grow needs too much memory.
func Grow(how string) {
	if how != "more" {
		return
	}
	for range 2048 {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		kept = append(kept, b) // bug 30
	}
}
