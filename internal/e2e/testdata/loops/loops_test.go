// Package loops has range loops of all forms over what nothing but the loop refers to, while another goroutine has the
// memory collected again and again. The bodies call nothing, so a loop stops for the collector in its condition, which is
// where instrumented code calls a hook, or by a signal. Each round sees whether its element is what was put in.
package loops

import (
	"iter"
	"maps"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const word = "abcdefgh"

type small struct{ a, b byte }

type odd struct {
	a [3]byte
	p *int
}

type large struct {
	text string
	pad  [40]uint64
	n    int
}

// list returns n times x. The words are made anew each time.
//
//go:noinline
func list[T any](n int, x T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = x
	}
	return out
}

//go:noinline
func words(n int) []string { return strings.Split(strings.Repeat(word+",", n-1)+word, ",") }

// loops are functions that return how many rounds saw something else than what was put in. n is the number of rounds.
var loops = map[string]func(n int) (wrong int){
	"strings": func(n int) (wrong int) {
		for _, s := range words(n) {
			if s != word {
				wrong++
			}
		}
		return wrong
	},
	"index and string": func(n int) (wrong int) {
		for i, s := range words(n) {
			if len(s) != 8 || i >= n || s[0] != 'a' || s[7] != 'h' {
				wrong++
			}
		}
		return wrong
	},
	"bytes": func(n int) (wrong int) {
		for _, b := range list(n, byte(0x5a)) {
			if b != 0x5a {
				wrong++
			}
		}
		return wrong
	},
	"16 bits": func(n int) (wrong int) {
		for _, x := range list(n, uint16(0x1234)) {
			if x != 0x1234 {
				wrong++
			}
		}
		return wrong
	},
	"integers": func(n int) (wrong int) {
		for _, x := range list(n, 12345678) {
			if x != 12345678 {
				wrong++
			}
		}
		return wrong
	},
	"floating-point numbers": func(n int) (wrong int) {
		for _, x := range list(n, 0.25) {
			if x != 0.25 {
				wrong++
			}
		}
		return wrong
	},
	"small structs": func(n int) (wrong int) {
		for _, x := range list(n, small{1, 2}) {
			if x != (small{1, 2}) {
				wrong++
			}
		}
		return wrong
	},
	"structs with a pointer": func(n int) (wrong int) {
		p := new(int)
		*p = 7
		for _, x := range list(n, odd{p: p}) {
			if *x.p != 7 {
				wrong++
			}
		}
		return wrong
	},
	"large structs": func(n int) (wrong int) {
		for _, x := range list(n/8+1, large{text: word, n: 3}) {
			if x.n != 3 || x.text != word {
				wrong++
			}
		}
		return wrong
	},
	"pointers": func(n int) (wrong int) {
		for _, x := range list(n, &large{n: 5}) {
			if x.n != 5 {
				wrong++
			}
		}
		return wrong
	},
	"interfaces": func(n int) (wrong int) {
		for _, x := range list(n, any(uint8(9))) {
			if x != any(uint8(9)) {
				wrong++
			}
		}
		return wrong
	},
	"slices of slices": func(n int) (wrong int) {
		for _, list := range list(n/16+1, words(4)) {
			for _, s := range list {
				if s != word {
					wrong++
				}
			}
		}
		return wrong
	},
	"no variables": func(n int) int {
		rounds := 0
		for range words(n) {
			rounds++
		}
		return n - rounds
	},
	"continue and break": func(n int) (wrong int) {
		for i, s := range words(n) {
			if i%3 == 0 {
				continue
			}
			if s != word {
				wrong++
			}
			if i == n-2 {
				break
			}
		}
		return wrong
	},
	"array": func(n int) (wrong int) {
		var a [64]string
		for i, s := range words(64) {
			a[i] = s
		}
		for range n/64 + 1 {
			for _, s := range a {
				if s != word {
					wrong++
				}
			}
			for _, s := range a[:] {
				if s != word {
					wrong++
				}
			}
		}
		return wrong
	},
	"array on a stack that grows": func(n int) (wrong int) {
		result := make(chan int)
		go func() {
			var a [32]int
			for i := range a {
				a[i] = i
			}
			wrong := 0
			for i, x := range a[:] {
				if grow(4*i) != 0 || x != i {
					wrong++
				}
			}
			result <- wrong
		}()
		return <-result
	},
	"text": func(n int) (wrong int) {
		for _, r := range strings.Repeat("äb€", n) {
			if r != 'ä' && r != 'b' && r != '€' {
				wrong++
			}
		}
		return wrong
	},
	"bytes of a text": func(n int) (wrong int) {
		for _, b := range []byte(strings.Repeat("x", n)) {
			if b != 'x' {
				wrong++
			}
		}
		return wrong
	},
	"runes of a text": func(n int) (wrong int) {
		for _, r := range []rune(strings.Repeat("ö", n)) {
			if r != 'ö' {
				wrong++
			}
		}
		return wrong
	},
	"map": func(n int) (wrong int) {
		m := map[int]string{}
		for i, s := range words(n/8 + 1) {
			m[i] = s
		}
		for _, s := range maps.Clone(m) {
			if s != word {
				wrong++
			}
		}
		return wrong
	},
	"channel": func(n int) (wrong int) {
		c := make(chan string, 4)
		go func() {
			defer close(c)
			for _, s := range words(n/8 + 1) {
				c <- s
			}
		}()
		for s := range c {
			if s != word {
				wrong++
			}
		}
		return wrong
	},
	"integer": func(n int) (wrong int) {
		all := words(n)
		for i := range n {
			if all[i] != word {
				wrong++
			}
		}
		return wrong
	},
	"function": func(n int) (wrong int) {
		for s := range each(words(n)) {
			if s != word {
				wrong++
			}
		}
		return wrong
	},
	"pulled": func(n int) (wrong int) {
		next, stop := iter.Pull(each(words(n/16 + 1)))
		defer stop()
		for s, ok := next(); ok; s, ok = next() {
			if s != word {
				wrong++
			}
		}
		return wrong
	},
	"generic": func(n int) int {
		return count(words(n), word) + count(list(n, 3), 3) + count(list(n, small{3, 4}), small{3, 4})
	},
	"closures": func(n int) (wrong int) {
		var calls []func() bool
		for _, s := range words(n/16 + 1) {
			calls = append(calls, func() bool { return s == word })
		}
		for _, call := range calls {
			if !call() {
				wrong++
			}
		}
		return wrong
	},
	"deferred": func(n int) (wrong int) {
		defer func() {
			recover()
			for _, s := range words(n) {
				if s != word {
					wrong++
				}
			}
		}()
		for _, s := range words(16) {
			defer func() {
				if s != word {
					wrong++
				}
			}()
		}
		panic("here")
	},
}

// count returns how many of the elements differ from want.
func count[T comparable](list []T, want T) (wrong int) {
	for _, x := range list {
		if x != want {
			wrong++
		}
	}
	return wrong
}

func each[T any](list []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range list {
			if !yield(x) {
				return
			}
		}
	}
}

// grow makes the stack n frames deeper, and returns 0.
func grow(n int) int {
	var frame [32]int
	if n <= 0 {
		return frame[0]
	}
	return grow(n-1) + frame[n%32]
}

var sink atomic.Pointer[[]byte]

// collecting runs f while another goroutine makes garbage and has it collected.
func collecting(f func()) {
	var ended atomic.Bool
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for !ended.Load() {
			for range 64 {
				garbage := make([]byte, 16<<10)
				sink.Store(&garbage)
			}
			runtime.GC()
		}
	}()
	f()
	ended.Store(true)
	wg.Wait()
}

func FuzzLoops(f *testing.F) {
	collecting(func() {
		for _, w := range words(2000) {
			f.Add(w, len(w))
		}
		for _, w := range strings.Fields("a text with some different words") {
			f.Add(w, len(w))
		}
	})
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 64 + n&0x3ff
		collecting(func() {
			for name, loop := range loops {
				if wrong := loop(n); wrong != 0 {
					t.Errorf("%s: %d rounds saw something else than what was put in", name, wrong)
				}
			}
			for _, w := range strings.Split(s, " ") {
				if w == "different" && len(w) != 9 {
					t.Errorf("%q has nine bytes", w)
				}
			}
		})
	})
}
