package overlay

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// cleared is a target that looks for what is not zero in new buffers, and says how many pages of one that it does not touch
// are in memory.
const cleared = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

const large = 64 << 20

var (
	bytes    [][]byte
	pointers [][]*int
	one      = new(int)
	sink     []byte
)

func resident() (n int) {
	text, _ := os.ReadFile("/proc/self/statm")
	fmt.Sscan(string(text), new(int), &n)
	return n * os.Getpagesize()
}

// fill makes a buffer, touches all of it and forgets it.
func fill(size int) {
	sink = make([]byte, size)
	for i := range sink {
		sink[i] = 1
	}
	sink = nil
}

// allocate makes buffers, and soils some of their pages.
func allocate(round, size int) {
	b, p := make([]byte, size), make([]*int, size/8)
	for i := range b {
		if b[i] != 0 {
			println("dirty", size, i)
		}
	}
	for i := range p {
		if p[i] != nil {
			println("dirty pointer", size, i)
		}
	}
	for i := round; i < len(b); i += 1 + round*1500 {
		b[i] = 1
	}
	for i := round; i < len(p); i += 1 + round*900 {
		p[i] = one
	}
	bytes, pointers = append(bytes, b), append(pointers, p)
}

func FuzzM(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		// Of the memory that is given back, a part is in use again afterwards. Where the last buffer comes to lie is chance: sometimes
		// all of it has never been used, so that nobody clears it.
		touched := false
		for range 6 {
			fill(large)
			debug.FreeOSMemory()
			fill(large / 4)
			runtime.GC()
			before := resident()
			sink = make([]byte, large)
			touched = touched || resident()-before >= large/2
		}
		println("touched", touched, "end")
		for round := range 12 {
			for _, size := range []int{256<<10 - 1, 256 << 10, 300001, 1<<20 + 7, 4 << 20, 4<<20 + 1, 13 << 20} {
				allocate(round, size)
			}
			if bytes, pointers = nil, nil; round%3 == 0 {
				debug.FreeOSMemory()
			} else {
				runtime.GC()
			}
		}
	})
}
`

func TestLargeBuffersAreClearedWithoutTouchingThem(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	p := hooked(t, listener, `
		_, _, hook.Recording = chance.Seed, compare.Seen, false
		fn.Call(args)
`)
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		for _, tc.Plain = range []bool{false, true} {
			out := p.work(t, tc, cleared)
			if strings.Contains(out, "dirty") {
				t.Errorf("with -std=plain %v, a new buffer is not zero: %s", tc.Plain, out)
			}
			if runtime.GOOS == "linux" {
				testkit.Contains(t, "output", out, fmt.Sprintf("touched %v end\n", tc.Plain))
			}
		}
	})
}
