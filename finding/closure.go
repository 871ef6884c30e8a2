package finding

import (
	"regexp"
	"strings"
)

// closureSegment is a part of the name of a closure that numbers it in the function around it: a function literal, a statement go or defer.
var closureSegment = regexp.MustCompile(`^((func|gowrap|deferwrap)?[0-9]+)$`)

// rangeBody ends the part of a name that is the body of a loop over a function.
var rangeBody = regexp.MustCompile(`-range[0-9]+$`)

// named returns the calls with names of closures that are the same with each toolchain. If the function around a closure is inlined, Go up to
// 1.26 names the closure after the functions that it is inlined into, as in "m.FuzzM.func1.2.made.1", and Go 1.27 after its own, as in
// "m/q.made.1". Both numbers count different closures, and both packages differ. So the name here is that of the file and of the declared
// function without its receiver. A closure in a fuzz target keeps its name, because nothing inlines a target.
func named(calls []Call) []Call {
	list := make([]Call, len(calls))
	for i, c := range calls {
		if name, ok := declaredAround(c.Func); ok && !isTarget(name, c.File) {
			c.Func = c.File[strings.LastIndexAny(c.File, `/\`)+1:] + "." + name + ".func"
		}
		list[i] = c
	}
	return list
}

// declaredAround returns the name of the declared function that has a closure in it, without package and receiver. ok is false if fn is no closure.
func declaredAround(fn string) (name string, ok bool) {
	fn = strings.ReplaceAll(fn[strings.LastIndexByte(fn, '/')+1:], "[...]", "")
	segments := strings.Split(fn, ".")
	for i := len(segments) - 1; i > 0; i-- { // the first is the package
		s := rangeBody.ReplaceAllString(segments[i], "")
		if ok = ok || s != segments[i]; s != "" && !closureSegment.MatchString(s) {
			return s, ok
		}
		ok = true
	}
	return "", false
}
