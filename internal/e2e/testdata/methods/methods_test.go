// Package methods has a fuzz target for each thing that a target can do with its *testing.T. Each is executed with one
// input by two engines, which have to print the same.
//
// What a passing execution sees is not printed by either engine, so targets that pass write it down with note.
package methods

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// input is the only input that is of interest. The engines may try others, which do nothing.
const input = "seed"

// each makes target the fuzz target of f.
func each(f *testing.F, target func(t *testing.T)) {
	if os.Getenv("CACHED") == "" { // otherwise it comes from the corpus cache
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == input {
			target(t)
		}
	})
}

// notes collects what an execution sees.
type notes struct{ bytes.Buffer }

func (n *notes) add(format string, args ...any) { fmt.Fprintf(n, format+"\n", args...) }

// write appends the notes to the file that the test reads, in one piece, so that repeated executions can be compared.
func (n *notes) write() {
	file, err := os.OpenFile(os.Getenv("NOTES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	if _, err := io.WriteString(file, n.String()+"---\n"); err != nil {
		panic(err)
	}
	if err := file.Close(); err != nil {
		panic(err)
	}
}

// note runs look and writes down what it notes.
func note(f *testing.F, look func(t *testing.T, n *notes)) {
	each(f, func(t *testing.T) {
		n := &notes{}
		n.add("failed %v, skipped %v, name %s", t.Failed(), t.Skipped(), t.Name())
		look(t, n)
		n.write()
	})
}

func FuzzPass(f *testing.F) { note(f, func(*testing.T, *notes) {}) }

func FuzzLog(f *testing.F) {
	note(f, func(t *testing.T, n *notes) { t.Log("a", 1); t.Logf("%d", 2) })
}

func FuzzLogAndFail(f *testing.F) {
	each(f, func(t *testing.T) { t.Log("a", 1); t.Logf("%d\nlines", 2); t.Fail(); t.Log("after") })
}

func FuzzError(f *testing.F) {
	each(f, func(t *testing.T) { t.Error("wrong", 1); t.Errorf("%q again", "wrong") })
}

func FuzzFatal(f *testing.F) {
	each(f, func(t *testing.T) { t.Fatal("fatal"); t.Log("never") })
}

func FuzzFatalf(f *testing.F) { each(f, func(t *testing.T) { t.Fatalf("fatal %d", 3) }) }

func FuzzFailNow(f *testing.F) {
	each(f, func(t *testing.T) { defer t.Log("deferred"); t.FailNow() })
}

func FuzzFailed(f *testing.F) {
	each(f, func(t *testing.T) { t.Log(t.Failed()); t.Fail(); t.Log(t.Failed()) })
}

func FuzzHelper(f *testing.F) {
	each(f, func(t *testing.T) { helper(t) })
}

func helper(t *testing.T) {
	t.Helper()
	t.Error("in the line of the caller")
}

func FuzzSkip(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		t.Cleanup(func() { n.add("in cleanup: skipped %v", t.Skipped()); n.write() })
		t.Skip("not this one")
	})
}

func FuzzSkipf(f *testing.F)   { each(f, func(t *testing.T) { t.Skipf("not %s", "this") }) }
func FuzzSkipNow(f *testing.F) { each(f, func(t *testing.T) { t.SkipNow() }) }

func FuzzSkipDeferred(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		later := &notes{}
		defer func() { later.add("deferred: skipped %v", t.Skipped()); later.write() }()
		defer t.Log("logged later")
		t.Skip("not this one")
	})
}

func FuzzSkipAndPanic(f *testing.F) {
	each(f, func(t *testing.T) { defer func() { panic("after skip") }(); t.Skip("first") })
}

func FuzzSkipAndFatal(f *testing.F) {
	each(f, func(t *testing.T) { defer t.Fatal("after skip"); t.Skip("first") })
}

func FuzzSkipBeside(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		done := make(chan bool)
		go func() { defer close(done); t.SkipNow() }()
		<-done
		n.add("skipped %v", t.Skipped())
	})
}

func FuzzFailAndSkip(f *testing.F) { each(f, func(t *testing.T) { t.Error("first"); t.Skip("then") }) }

func FuzzSkipAndFail(f *testing.F) {
	each(f, func(t *testing.T) {
		t.Cleanup(func() { t.Error("in cleanup after skip") })
		t.Skip("first")
	})
}

func FuzzCleanupOrder(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		later := &notes{}
		t.Cleanup(func() { later.add("last"); later.write() })
		t.Cleanup(func() { t.Cleanup(func() { later.add("added by cleanup") }); later.add("second") })
		t.Cleanup(func() { later.add("first") })
	})
}

func FuzzCleanupFails(f *testing.F) {
	each(f, func(t *testing.T) { t.Cleanup(func() { t.Error("in cleanup") }) })
}

func FuzzCleanupFailsNow(f *testing.F) {
	each(f, func(t *testing.T) {
		t.Cleanup(func() { t.Log("runs nevertheless") })
		t.Cleanup(func() { t.Fatal("in cleanup") })
	})
}

func FuzzCleanupPanics(f *testing.F) {
	each(f, func(t *testing.T) {
		t.Cleanup(func() { t.Log("runs nevertheless") })
		t.Cleanup(func() { panic("in cleanup") })
	})
}

func FuzzCleanupAfterPanic(f *testing.F) {
	each(f, func(t *testing.T) { t.Cleanup(func() { t.Log("cleaned up") }); panic("in target") })
}

func FuzzCleanupAfterFatal(f *testing.F) {
	each(f, func(t *testing.T) { t.Cleanup(func() { t.Log("cleaned up", t.Failed()) }); t.Fatal("in target") })
}

func FuzzTempDir(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		dir, other := t.TempDir(), t.TempDir()
		n.add("exists %v, differs %v, last part %s", exists(dir), dir != other, filepath.Base(dir))
		n.add("holds %d entries", len(entries(dir)))
		if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
			n.add("%v", err)
		}
		previous := os.Getenv("PREVIOUS_DIR")
		n.add("that of an earlier execution exists: %v", previous != "" && exists(previous))
		if err := os.Setenv("PREVIOUS_DIR", dir); err != nil {
			n.add("%v", err)
		}
	})
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func entries(dir string) []os.DirEntry {
	list, err := os.ReadDir(dir)
	if err != nil {
		panic(err)
	}
	return list
}

func FuzzSetenv(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		n.add("before %q", os.Getenv("GNAW_E2E_VALUE"))
		t.Setenv("GNAW_E2E_VALUE", "set")
		n.add("now %q", os.Getenv("GNAW_E2E_VALUE"))
	})
}

func FuzzChdir(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		before, err := os.Getwd()
		n.add("in %s (%v)", filepath.Base(before), err)
		t.Chdir(t.TempDir())
		after, err := os.Getwd()
		n.add("moved %v, PWD follows %v (%v)", before != after, os.Getenv("PWD") == after, err)
	})
}

func FuzzContext(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		ctx, later := t.Context(), &notes{}
		n.add("during: %v, again the same %v", ctx.Err(), ctx == t.Context())
		t.Cleanup(func() { later.add("in cleanup: %v", ctx.Err()); later.write() })
	})
}

// A context that is asked for, and nothing else, must be done in the next execution.
var earlier interface{ Err() error }

func FuzzContextOnly(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		n.add("earlier one lives: %v", earlier != nil && earlier.Err() == nil)
		earlier = t.Context()
		n.add("this one lives: %v", earlier.Err() == nil)
	})
}

func FuzzDeadline(f *testing.F) {
	note(f, func(t *testing.T, n *notes) { _, ok := t.Deadline(); n.add("deadline %v", ok) })
}

func FuzzRun(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		n.add("passes %v", t.Run("sub test", func(t *testing.T) {
			n.add("name %s", t.Name())
			n.add("nested %v", t.Run("nested", func(t *testing.T) { n.add("name %s", t.Name()) }))
		}))
		n.add("skips %v", t.Run("skip", func(t *testing.T) { t.Skip() }))
	})
}

func FuzzRunFails(f *testing.F) {
	each(f, func(t *testing.T) {
		t.Run("sub", func(t *testing.T) {
			t.Log("outer")
			t.Run("nested", func(t *testing.T) { t.Error("inner") })
		})
		t.Log("sub test failed:", t.Failed())
	})
}

func FuzzRunFatal(f *testing.F) {
	each(f, func(t *testing.T) { t.Run("sub", func(t *testing.T) { t.Fatal("inner") }); t.Log("goes on") })
}

func FuzzRunPanics(f *testing.F) {
	each(f, func(t *testing.T) { t.Run("sub", func(t *testing.T) { panic("in sub test") }) })
}

func FuzzRunParallel(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		names := make(chan string, 2)
		t.Run("group", func(t *testing.T) {
			for _, name := range []string{"a", "b"} {
				t.Run(name, func(t *testing.T) { t.Parallel(); names <- t.Name() })
			}
		})
		both := []string{<-names, <-names}
		slices.Sort(both)
		n.add("%q", both)
	})
}

func FuzzParallelFails(f *testing.F) {
	each(f, func(t *testing.T) { t.Parallel(); t.Error("in parallel") })
}

func FuzzParallel(f *testing.F) {
	each(f, func(t *testing.T) { t.Parallel() })
}

func FuzzPanic(f *testing.F) { each(f, func(t *testing.T) { panic("in target") }) }

func FuzzPanicError(f *testing.F) { each(f, func(t *testing.T) { panic(fmt.Errorf("an error")) }) }

func FuzzPanicNil(f *testing.F) { each(f, func(t *testing.T) { panic(nil) }) }

func FuzzPanicNilMap(f *testing.F) {
	each(f, func(t *testing.T) { var m map[string]int; m["a"] = 1 })
}

func FuzzPanicAfterError(f *testing.F) {
	each(f, func(t *testing.T) { t.Error("first"); panic("then") })
}

func FuzzPanicTwice(f *testing.F) {
	each(f, func(t *testing.T) { defer func() { panic("second") }(); panic("first") })
}

func FuzzRecovers(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		defer func() { n.add("recovered %v", recover()) }()
		panic("kept")
	})
}

func FuzzGoexit(f *testing.F) { each(f, func(t *testing.T) { runtime.Goexit() }) }

func FuzzPanicInGoroutine(f *testing.F) {
	each(f, func(t *testing.T) {
		go func() { panic("beside the target") }()
		select {}
	})
}

func FuzzExit(f *testing.F) { each(f, func(t *testing.T) { os.Exit(3) }) }

func FuzzPrints(f *testing.F) {
	each(f, func(t *testing.T) { fmt.Println("to stdout"); fmt.Fprintln(os.Stderr, "to stderr"); t.Fail() })
}

func FuzzLongLog(f *testing.F) {
	each(f, func(t *testing.T) { t.Error(strings.Repeat("long ", 20000)) })
}

// Use after the end: that of a T that was used in earlier executions and ended with them.
var ended *testing.T

func FuzzUsedAfterTheEnd(f *testing.F) {
	f.Add("first")
	f.Add("second")
	f.Fuzz(func(t *testing.T, s string) {
		switch {
		case s == "first" && ended == nil:
			t.Run("so that it ends", func(*testing.T) {})
			ended = t
		case s == "second" && ended != nil:
			ended.Log("too late")
		}
	})
}

func FuzzErrorAfterTheEnd(f *testing.F) {
	f.Add("first")
	f.Add("second")
	f.Fuzz(func(t *testing.T, s string) {
		switch {
		case s == "first" && ended == nil:
			t.Run("so that it ends", func(*testing.T) {})
			ended = t
		case s == "second" && ended != nil:
			ended.Fail()
		}
	})
}

// FuzzTraces leaves what does not end a T, and fails then: nothing of it may be printed, or change what is.
func FuzzTraces(f *testing.F) {
	for i := range 6 {
		f.Add(fmt.Sprint(i))
	}
	f.Fuzz(func(t *testing.T, s string) {
		switch s {
		case "0", "3":
			t.Log("logged")
		case "1", "4":
			t.Skip("skipped")
		case "2":
			sometimesHelper(t, true)
		case "5":
			sometimesHelper(t, false)
		}
	})
}

func sometimesHelper(t *testing.T, helps bool) {
	if helps {
		t.Helper()
		t.Log("in the line of the caller")
		return
	}
	t.Errorf("in this line; skipped %v", t.Skipped())
}

// FuzzIsolation leaves all that can be left in a T, in turns, and notes whether anything of it is seen.
func FuzzIsolation(f *testing.F) {
	for i := range 8 {
		f.Add(fmt.Sprint(i))
	}
	running := 0
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) != 1 || s < "0" || s > "7" {
			return
		}
		n := &notes{}
		n.add("failed %v, skipped %v, name %s, running %d", t.Failed(), t.Skipped(), t.Name(), running)
		n.add("variable %q, context %v, entries %d", os.Getenv("GNAW_E2E_LEFT"), t.Context().Err(), len(entries(t.TempDir())))
		n.write()
		running++
		t.Cleanup(func() { running-- })
		switch s {
		case "1":
			t.Skip("skipped")
		case "2":
			t.Setenv("GNAW_E2E_LEFT", "left")
		case "3":
			if err := os.WriteFile(filepath.Join(t.TempDir(), "left"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		case "4":
			t.Run("sub", func(t *testing.T) {})
		case "5":
			t.Log("logged")
		case "6":
			t.Chdir(t.TempDir())
		}
	})
}
