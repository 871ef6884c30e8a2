package compare

import (
	"runtime"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// maxPlaced is the number of records that hooks in the standard library may add to a Log after [Place]. It is larger than maxKeys because no
// inputs are derived from these records.
const maxPlaced = 1024

// maxStacks is the number of stacks that a process distinguishes.
const maxStacks = 1 << 12

// stack is the return addresses of the calls that lead to a hook in the standard library.
type stack struct {
	site  uint // identifies the stack; 0: the slot is free
	calls [24]uintptr
	depth int // how many of the calls are set
}

// stacks is a hash table of the stacks that hooks have reported. It is nil before [Place]. A hook does not record a stack for which there is
// no slot.
var stacks *[maxStacks]stack

// stackSite is a bit that is set in the site of each stack, and not set in any address of code.
const stackSite = ^(^uint(0) >> 1) >> 1

// Place makes hooks in the standard library identify a comparison by the stack that leads to it. It is for test binaries in which the hooks
// of the compiler get an address of code as the site. It cannot be undone.
func Place() {
	stacks = new([maxStacks]stack)
	hook.Listener.Key = func(seen, key string, _ uint) { placed(Map, seen, key) }
	hook.Listener.IntKey = placedInt
	hook.Listener.Needle = func(text, sought string) { placed(Needle, text, sought) }
	hook.Listener.Compare = func(a, b string) { placed(Needle, a, b) }
	hook.Listener.Fold = func(a, b string) { placed(Fold, a, b) }
	hook.Listener.Number = func(string) {}
	hook.Listener.Bound = func(int64, int64) {}
}

// placed records two strings, with the stack as their site.
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

// placedInt records a key of a map, with the stack as its site.
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

// here returns the site of the stack that leads to the caller of placed or placedInt; 0: there is no slot for it. It does not allocate.
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
		at := &stacks[(s.site+i)%maxStacks]
		if at.site == 0 {
			*at = s
		}
		if at.site == s.site {
			return s.site
		}
	}
	return 0
}

// Calls returns the return addresses of the calls that lead to a comparison that was recorded after [Place], the innermost call first. If the
// compiler reports the comparison, there is one address: the one that the hook returns to.
func Calls(site uint) []uintptr {
	site &^= binarySite
	if site&stackSite == 0 {
		return []uintptr{uintptr(site)}
	}
	for i := range uint(placeProbe) {
		if s := &stacks[(site+i)%maxStacks]; s.site == site {
			return s.calls[:s.depth]
		}
	}
	return nil
}
