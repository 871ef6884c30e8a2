// Package args takes three arguments that depend on each other.
package args

import (
	"strings"
	"testing"

	"bench.test/limit"
)

var seeds = []limit.Args{{[]byte("some bytes"), 4, "get"}, {[]byte{}, 0, "put key"}}

var reached int

func target(b []byte, n int, s string) {
	verb, rest, _ := strings.Cut(s, " ")
	switch verb {
	case "get":
		if n >= 0 && n < len(b) && int(b[n]) == len(rest) {
			reached++
		}
	case "put":
		if n == len(b) && strings.Contains(rest, "=") {
			reached++
		}
	case "delete":
		if n < 0 && len(b) == 0 {
			reached++
		}
	}
}

func FuzzTarget(f *testing.F) {
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte, n int, s string) { target(b, n, s) })
}

func FuzzRecord(f *testing.F) {
	r := limit.NewRecorder(f)
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte, n int, s string) {
		if r.Due() {
			r.Write(b, n, s)
		}
		target(b, n, s)
	})
}

func TestLimit(t *testing.T) {
	limit.Run(t, func(a limit.Args) func() {
		b, n, s := a[0].([]byte), a[1].(int), a[2].(string)
		return func() { target(b, n, s) }
	})
}
