// Package memory has a target that tells how much memory its process uses.
package memory

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// A value is what parse makes of a text: an atom, or a list in parentheses.
type value struct {
	atom string
	list []value
}

// parse reads one value and returns the rest.
func parse(s string, depth int) (v value, rest string) {
	switch {
	case s == "" || depth > 20:
		return value{}, ""
	case s[0] == '(':
		for rest = s[1:]; rest != "" && rest[0] != ')'; {
			var inner value
			inner, rest = parse(rest, depth+1)
			v.list = append(v.list, inner)
		}
		return v, rest[min(1, len(rest)):]
	case s[0] == '"':
		for i := 1; i < len(s); i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == '"' {
				return value{atom: s[1:i]}, s[i+1:]
			}
		}
	}
	return value{atom: s[:1]}, s[1:]
}

// sampleEvery is the number of executions between two lines in the file that is named by MEMORY: how many executions
// there were, and how many bytes are live and how many the process has from the system.
const sampleEvery = 500_000

func FuzzParse(f *testing.F) {
	f.Add(`(a "b\"" (c))`)
	calls := 0
	f.Fuzz(func(t *testing.T, s string) {
		parse(s, 0)
		if calls++; calls%sampleEvery != 0 {
			return
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		out, err := os.OpenFile(os.Getenv("MEMORY"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(out, calls, m.HeapAlloc, m.Sys)
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
