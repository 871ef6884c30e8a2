package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLoopsKeepTheirMemory runs loops of all forms in an instrumented program while memory is collected again and again.
// The garbage collector checks its own marks, and overwrites what it frees.
func TestLoopsKeepTheirMemory(t *testing.T) {
	t.Parallel()
	w, dir := module(t, "loops")
	binary := filepath.Join(w.dir, "loops.test")
	w.compile(t, host.gnaw, dir, binary)
	duration := "1000x"
	if *flagLong {
		duration = "45s"
	}
	for _, c := range []struct{ name, debug, flag string }{
		{"comparisons are recorded", "clobberfree=1", ""},
		{"comparisons are recorded and marks are checked", "gccheckmark=1,clobberfree=1", ""},
		{"no comparison is recorded", "gccheckmark=1,clobberfree=1", "solve,value-profile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := w.environ("GODEBUG="+c.debug, "GOGC=1", "GOMAXPROCS=4", "GNAW_WITHOUT="+c.flag)
			r := w.start(t, dir, env, binary, "-test.run=^$", "-test.fuzz=.", "-test.fuzztime="+duration,
				"-test.fuzzcachedir="+filepath.Join(w.dir, "corpus"))
			code, output := r.wait(t, 3*time.Minute)
			if code != 0 || !strings.Contains(output, "now fuzzing") {
				t.Errorf("exit code %d:\n%s", code, clip(output))
			}
		})
	}
}
