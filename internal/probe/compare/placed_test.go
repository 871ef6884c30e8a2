package compare

import (
	"runtime"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// callPlace calls Place for the time of a test.
func callPlace(t *testing.T) {
	before := hook.Listener
	t.Cleanup(func() { hook.Listener, stacks = before, nil })
	Place()
}

func TestPlacesAreThoseOfTheCallers(t *testing.T) {
	callPlace(t)
	pc, _, _, _ := runtime.Caller(0)
	for _, tt := range []struct {
		name string
		call func()
		want Op
	}{
		{"a key of a map of strings", listen(func() { hook.Key("seen", "key", nil) }), Map},
		{"a key of a map of integers", listen(func() { hook.IntKey(3, 7, 4, nil) }), ConstInt},
		{"a needle", listen(func() { hook.Needle("text", "needle") }), Needle},
		{"two strings in order", listen(func() { hook.Compare("a", "b") }), Needle},
		{"a comparison without case", listen(func() { hook.FoldBytes([]byte("a"), []byte("B")) }), Fold},
		{"an integer of the program", func() { Cmp4(1, 2, uint(pc)) }, Int},
		{"a checksum of the program", func() { StrCmp("\x01234", "\x01235", uint(pc)) }, Str},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := record(new(Log), func() { tt.call(); tt.call() })
			if len(got) == 0 || got[0].Op != tt.want {
				t.Fatalf("recorded %+v, want a record of kind %d first", got, tt.want)
			}
			for _, r := range got {
				if !inThisTest(Calls(r.Site)) {
					t.Errorf("the calls of %+v are not those of the test", r)
				}
			}
		})
	}
	if got := record(new(Log), listen(func() { hook.Number("12"); hook.Bound(2, 1) })); len(got) > 0 {
		t.Errorf("recorded %+v, which no condition compares", got)
	}
}

func TestHooksThatRecordPlacesDoNotAllocate(t *testing.T) {
	callPlace(t)
	l, b := new(Log), []byte("some bytes")
	if n := testing.AllocsPerRun(100, func() {
		l.Start()
		hook.Key(string(b), "key", nil)
		hook.IntKey(1, 2, 8, nil)
		hook.NeedleBytes(b, b)
		hook.CompareBytes(b, b)
		hook.FoldBytes(b, b)
		hook.Number(string(b))
		hook.Bound(7, 3)
		l.Stop()
	}); n != 0 {
		t.Errorf("hooks allocate %v times", n)
	}
	if got := l.Records(); len(got) != 5 {
		t.Errorf("%d comparisons are recorded, want 5", len(got))
	}
}

func TestAStackWithoutASlotIsNotRecorded(t *testing.T) {
	callPlace(t)
	for i := range stacks {
		stacks[i].site = 1 // a stack has another site, with the bit stackSite
	}
	if got := record(new(Log), listen(func() { hook.Needle("text", "needle") })); len(got) > 0 {
		t.Errorf("recorded %+v, want nothing", got)
	}
}

// inThisTest reports whether calls lead through the test.
func inThisTest(calls []uintptr) bool {
	for frames := runtime.CallersFrames(calls); ; {
		f, more := frames.Next()
		if strings.Contains(f.Function, "TestPlacesAreThoseOfTheCallers") {
			return true
		}
		if !more {
			return false
		}
	}
}
