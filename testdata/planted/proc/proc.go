// Package proc ends its process in many ways.
package proc

import (
	"os"
	"runtime"
	"slices"
	"sync"

	"example.com/planted/deep"
)

// End ends the process, or the goroutine.
func End(how string) {
	switch how {
	case "exit":
		os.Exit(3) // bug 22
	case "halt":
		go func() {
			panic("elsewhere") // bug 23
		}()
		select {} // a target that returned would race with the end of the process, which a replay may then survive
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
	m := map[int]int{0: 0, 1: 0, 2: 0, 3: 0} // while keys are inserted, it may be a segmentation violation
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

// Leave returns before what it has started.
func Leave(how string) {
	if how != "left" {
		return
	}
	var mu sync.Mutex
	mu.Lock()
	go enter(&mu)
}

func enter(mu *sync.Mutex) {
	mu.Lock() // bug 42
	mu.Unlock()
}

var last int

// Race writes one variable in two goroutines.
func Race(how string) {
	if how != "race" {
		return
	}
	var done sync.WaitGroup
	for i := range 2 {
		done.Add(1)
		go func() {
			defer done.Done()
			last = i // bug 46
		}()
	}
	done.Wait()
}

// Walk recurses.
func Walk(b []byte) int {
	if len(b) > 2 && b[0] == 'S' {
		slices.Sort(b) // bug 44
		return len(b)
	}
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
	if how == "back" {
		go receive(make(chan int))
	}
}

func receive(c chan int) {
	<-c // bug 41
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

var page []byte

// Churn needs little memory at a time, and much in all.
func Churn(how string) {
	if how != "turn" {
		return
	}
	for range 768 {
		page = make([]byte, 64<<10) // bug 48
	}
}
