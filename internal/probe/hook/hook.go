// Package hook contains the functions and switches that the edited functions of the standard library call while gnaw fuzzes.
//
// Package runtime imports it, so it imports nothing, and each change of it makes the go command build the whole standard library
// again. It only connects both sides: package compare receives what the hooks report, package chance seeds the generator, and
// package worker handles the exit of the process. In a test binary it is part of a package of the standard library, so its names
// must be unusual.
package hook

import "unsafe"

// Recording says whether anybody listens. Hooks look at it before they call one of the functions below.
var Recording bool

// Listener receives what the hooks report, once Recording is set. It must neither allocate nor keep a string.
var Listener struct {
	Key     func(seen, key string, site uint)
	IntKey  func(seen, key uint64, width uint8, site uint)
	Needle  func(text, needle string)
	Compare func(a, b string)
	Fold    func(a, b string)
	Number  func(text string)
	Bound   func(wanted, there int64)
}

// Key reports a key of a map of the type site, in which seen is looked up.
//
//go:norace
func Key(seen, key string, site unsafe.Pointer) {
	Listener.Key(hide(seen), hide(key), uint(uintptr(site)))
}

// IntKey reports a key of width bytes of a map of the type site, in which seen is looked up.
//
//go:norace
func IntKey(seen, key uint64, width uint8, site unsafe.Pointer) {
	Listener.IntKey(seen, key, width, uint(uintptr(site)))
}

// Needle reports that text is searched for needle. An empty text stands for one that does not matter.
//
//go:norace
func Needle(text, needle string) { Listener.Needle(hide(text), hide(needle)) }

// NeedleBytes is Needle for byte slices.
//
//go:norace
func NeedleBytes(text, needle []byte) { Listener.Needle(view(text), view(needle)) }

// Compare reports that two strings are compared.
//
//go:norace
func Compare(a, b string) { Listener.Compare(hide(a), hide(b)) }

// CompareBytes is Compare for byte slices.
//
//go:norace
func CompareBytes(a, b []byte) { Listener.Compare(view(a), view(b)) }

// FoldBytes reports that two texts are compared without regard to case.
//
//go:norace
func FoldBytes(a, b []byte) { Listener.Fold(view(a), view(b)) }

// Number reports a text that is read as a number.
//
//go:norace
func Number(text string) { Listener.Number(hide(text)) }

// Bound reports that a reader is asked for an offset, or for a number of bytes, if that is more than what is there.
//
//go:norace
func Bound(wanted, there int64) {
	if wanted < 0 || wanted >= there {
		Listener.Bound(wanted, there)
	}
}

// Pooled says whether each sync.Pool returns the value that it was given last, whatever the garbage collector and the scheduler do.
var Pooled bool

// OnExit is called with the exit code when os.Exit is, if it is set.
var OnExit func(code int)

// OnDeath is called when the runtime ends the process because of an error, if it is set.
var OnDeath func()

// The kinds of calls that act outside of the process. Base is a folder that a relative name is in; empty: the working directory.
const (
	Open      = 1 + iota // open or make a file, to write it
	Place                // give a file another name, which may be that of a file that exists
	Make                 // make what does not exist, in a folder that exists
	MakeAll              // make a folder, and those that lead to it
	Link                 // make a symbolic link
	Change               // change a file that exists
	Remove               // remove, with all that is in it
	Start                // start a program
	Connect              // connect to a host and a port
	ConnectTo            // connect to a socket in the file system
	Bind                 // make a socket in the file system
)

// OnAct is called before a call that acts outside of the process, if it is set. It reports whether the call is to fail.
var OnAct func(kind uint8, base, name string) bool

// Refused reports whether a call that acts outside of the process is to fail.
func Refused(kind uint8, base, name string) bool { return OnAct != nil && OnAct(kind, base, name) }

// RefusedOpen is Refused for a file that is opened; write has those flags that say that the call writes, create those that say that it makes a
// file.
func RefusedOpen(base, name string, write, create int) bool {
	switch {
	case OnAct == nil || write|create == 0:
		return false
	case create == 0:
		return OnAct(Change, base, name)
	}
	return OnAct(Open, base, name)
}

// Seeded says whether Chance takes the place of the runtime's random numbers for map and select order.
var Seeded bool

// State is that of the generator. Goroutines that draw at the same time may draw the same number.
var State uint64

// Chance is the next number of the generator: SplitMix64.
//
//go:nosplit
//go:norace
func Chance() uint64 {
	State += 0x9e3779b97f4a7c15
	z := State
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// hide is s, but the compiler cannot see that it is: otherwise all strings that are searched would have to be on the
// heap, because a function variable may keep its arguments for all that it knows.
//
//go:nosplit
//go:nocheckptr
//go:norace
func hide(s string) string { return *(*string)(noescape(unsafe.Pointer(&s))) }

// view is hide for a byte slice.
//
//go:nosplit
//go:nocheckptr
//go:norace
func view(b []byte) string { return *(*string)(noescape(unsafe.Pointer(&b))) }

//go:nosplit
//go:nocheckptr
//go:norace
func noescape(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return unsafe.Add(nil, x)
}
