// Package yaml decodes with gopkg.in/yaml.v3 into an interface value.
package yaml

import (
	"testing"

	"bench.test/limit"
	"gopkg.in/yaml.v3"
)

var seeds = []limit.Args{{[]byte("a: [1, two, 3.5]\nb:\n  - &x {c: d}\n  - *x\ns: |\n  text\n")}, {[]byte("- 2001-01-01\n- ~\n")}}

func target(b []byte) {
	// A panic would end the run: it is speed that is measured here, not bugs.
	defer func() { _ = recover() }()
	var v any
	_ = yaml.Unmarshal(b, &v) // malformed documents are expected
}

func FuzzTarget(f *testing.F) {
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) { target(b) })
}

func FuzzRecord(f *testing.F) {
	r := limit.NewRecorder(f)
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) {
		if r.Due() {
			r.Write(b)
		}
		target(b)
	})
}

func TestLimit(t *testing.T) {
	limit.Run(t, func(a limit.Args) func() {
		b := a[0].([]byte)
		return func() { target(b) }
	})
}
