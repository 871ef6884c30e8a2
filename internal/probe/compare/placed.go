package compare

import (
	"runtime"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// maxPlaced is how many records of keys a Log may have after [Place]: more than maxKeys, as nothing is derived from them.
const maxPlaced = 1024

// stack is the calls that led to a function of the standard library, as return addresses.
type stack struct {
	site  uint // identifies it; 0: the slot is free
	calls [24]uintptr
	depth int
}

// stacks are those that were seen, by a hash of their addresses. One that finds no slot is not recorded.
var stacks [1 << 12]stack

// stackSite is set in the site of a stack, and never in an address of code.
const stackSite = ^(^uint(0) >> 1) >> 1

// Place has logs from now on identify comparisons that hooks in the standard library report by the stack that led there. It is for test
// binaries in which the hooks of the compiler are called with an address as the site, and is not undone.
func Place() {
	hook.Listener.Key = func(seen, key string, _ uint) { placed(Map, seen, key) }
	hook.Listener.IntKey = placedInt
	hook.Listener.Needle = func(text, sought string) { placed(Needle, text, sought) }
	hook.Listener.Compare = func(a, b string) { placed(Needle, a, b) }
	hook.Listener.Fold = func(a, b string) { placed(Fold, a, b) }
	hook.Listener.Number = func(string) {}
	hook.Listener.Bound = func(int64, int64) {}
}

// placed records two strings with the stack.
//
//go:norace
func placed(op Op, a, b string) {
	l := current
	if l == nil || l.keys >= maxPlaced || op == Map && overlooks(unsafe.StringData(a)) {
		return
	}
	if site := here(); site != 0 && l.pairs.met(hash(hash(uint64(site), a), b)) == 0 {
		l.keys++
		l.text(op, a, b, site)
	}
}

// placedInt records a key of a map with the stack.
//
//go:norace
func placedInt(seen, key uint64, width uint8, _ uint) {
	l := current
	if l == nil || l.keys >= maxPlaced {
		return
	}
	if site := here(); site != 0 && l.pairs.met(hash(uint64(site)^seen*0x9e3779b97f4a7c15+key, "")) == 0 {
		l.keys++
		integer(ConstInt|Op(width)<<widthShift, key, seen, site)
	}
}

// here returns the site of the stack of its caller; 0: there is no slot for it. It does not allocate.
//
//go:norace
func here() uint {
	var s stack
	s.depth = runtime.Callers(3, s.calls[:])
	h := uint64(14695981039346656037)
	for _, pc := range s.calls[:s.depth] {
		h = (h ^ uint64(pc)) * 1099511628211
	}
	s.site = uint(h)&(stackSite-1) | stackSite
	for i := range uint(placeProbe) {
		at := &stacks[(s.site+i)%uint(len(stacks))]
		if at.site == 0 {
			*at = s
		}
		if at.site == s.site {
			return s.site
		}
	}
	return 0
}

// Calls returns the calls that led to a comparison after [Place], as return addresses, the innermost first. Of a comparison that the compiler
// reports it is the address behind the call of the hook.
func Calls(site uint) []uintptr {
	site &^= binarySite
	if site&stackSite == 0 {
		return []uintptr{uintptr(site)}
	}
	for i := range uint(placeProbe) {
		if s := &stacks[(site+i)%uint(len(stacks))]; s.site == site {
			return s.calls[:s.depth]
		}
	}
	return nil
}
