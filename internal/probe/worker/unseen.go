package worker

import _ "unsafe" // for go:linkname

// A target may list or count the goroutines of its process, to find those that it has leaked. It must see what it sees with the stock
// engine. The runtime leaves goroutines of its own out of lists and counts: those whose first function has a name that begins with
// "runtime.". So the goroutines of the probe begin in a function with such a name.

// begin hands a function to the goroutine that is started for it.
var begin = make(chan func(), 1)

// unseen runs f on a goroutine that the target does not see. f must not panic.
func unseen(f func()) {
	begin <- f
	go gnawBegin()
}

//go:linkname gnawBegin runtime.gnawBegin
func gnawBegin() { (<-begin)() }
