package overlay

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// pooled is a target that prints what a pool returns after garbage collections, and how many values a pool keeps.
const pooled = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import (
	"runtime"
	"sync"
	"testing"
)

var (
	one  = sync.Pool{New: func() any { return "made" }}
	many sync.Pool
)

func FuzzM(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		println("first", one.Get().(string))
		one.Put("older")
		one.Put("newer")
		for range 2 {
			runtime.GC()
		}
		println("newest", one.Get().(string))
		println("next", one.Get().(string))
		println("last", one.Get().(string))
		for range 1000 {
			many.Put(1)
		}
		many.Put(nil)
		count := 0
		for many.Get() != nil {
			count++
		}
		println("count", count)
	})
}
`

func TestAPoolKeepsItsValuesIfChanceSaysSo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	p := hooked(t, "", `
		_, hook.Recording = compare.Seen, false
		chance.KeepPooled(true)
		fn.Call(args)
		chance.KeepPooled(false)
		fn.Call(args)
`)
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		out := p.work(t, tc, pooled)
		kept, emptied, _ := strings.Cut(out, "count 64\n")
		testkit.Contains(t, "output with values kept", kept, "first made\nnewest newer\nnext older\nlast made\n")
		testkit.Contains(t, "output with values dropped", emptied, "first made\nnewest made\nnext made\nlast made\n")
	})
}
