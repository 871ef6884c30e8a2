package oracle

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

var sink []byte

//go:noinline
func greedy() { sink = make([]byte, 8<<20) }

func TestTopNamesWhoAllocates(t *testing.T) {
	before, places := Allocated(), NewAllocations()
	greedy()
	if n := Allocated() - before; n < 8<<20 {
		t.Errorf("%d bytes are allocated, want 8 MiB at least", n)
	}
	if got, bytes := places.Top(); bytes < 8<<20 || !strings.Contains(got, "oracle.greedy(...)\n\t") || !strings.Contains(got, "memory_test.go:") {
		t.Errorf("the largest allocation is at\n%s", got)
	}
}

func TestKeptCountsWhatIsStillInUse(t *testing.T) {
	var copies Copies
	var kept [][]byte
	for i := range 6 {
		b := copies.Make([]byte("abc"))
		if string(b) != "abc" || cap(b) != 3 {
			t.Fatalf("the copy is %q with capacity %d", b, cap(b))
		}
		if i%2 == 0 {
			kept = append(kept, b[1:])
		}
	}
	if n := copies.Kept(); n != 3 {
		t.Errorf("%d copies are in use, want 3", n)
	}
	runtime.KeepAlive(kept)
	if n := copies.Kept(); n != 0 {
		t.Errorf("%d copies are in use, want none", n)
	}
}

func TestReadOnlyMemoryFaults(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("ReadOnly needs mprotect")
	}
	b, ok := ReadOnly([]byte("abc"))
	if !ok || !bytes.Equal(b, []byte("abc")) || cap(b) != 3 {
		t.Fatalf("the copy is %q with capacity %d", b, cap(b))
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("a write into it does not panic")
		}
	}()
	b[1] = 'x'
}
