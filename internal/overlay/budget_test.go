package overlay

import (
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// deep compares integers in a function that must not grow its stack and leaves little of it, as hand-written hash functions do.
const deep = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import "testing"

//go:noinline
//go:nosplit
func sum(b []byte) (n int) {
	var x [80]int
	for i := range b {
		x[i%80] += int(b[i])
	}
	for i := range x {
		if x[i] == 77 {
			n += x[i]
		}
	}
	return n
}

func FuzzM(f *testing.F) { f.Fuzz(func(t *testing.T, b []byte) { sum(b) }) }
`

// The linker refuses a chain of functions without a stack check that takes more than 800 bytes. What the user's own function takes is
// missing for the hooks.
func TestHooksFitBehindALargeFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles parts of the standard library")
	}
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		o, err := own.overlay(tc, t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
		link(t, tc, o, testkit.Unpack(t, deep), nil, out)
	})
}
