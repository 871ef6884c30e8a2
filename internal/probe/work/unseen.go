package work

import _ "unsafe" // for go:linkname

// A target may look at the goroutines of its process: to find those that it has leaked, or to count them. What it sees
// must be what it sees with the stock engine. The runtime leaves out of its lists and counts, as one of its own, each goroutine
// whose first function has a name that begins with "runtime."; so the goroutines of the probe begin in one with such a name.

// begin hands a function to the goroutine that is started for it.
var begin = make(chan func(), 1)

// unseen runs f on a goroutine that the target does not see. f must not panic.
func unseen(f func()) {
	begin <- f
	go gnawBegin()
}

//go:linkname gnawBegin runtime.gnawBegin
func gnawBegin() { (<-begin)() }
