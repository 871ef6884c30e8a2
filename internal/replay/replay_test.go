package replay

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// actorEnv has the test binary act as one of the actors instead.
const actorEnv = "REPLAY_TEST_ACTOR"

const (
	passes = "\x16=== RUN   FuzzX\n\x16--- PASS: FuzzX (0.00s)\n"
	begins = "\x16=== RUN   FuzzX\n\x16=== RUN   FuzzX/abc\n"
)

// actors are test binaries: what they do with the input, or without it.
var actors = map[string]func(withInput bool){
	"its teardown does not end after a failure": func(bool) {
		fmt.Print(begins + "\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/abc (0.00s)\n")
		time.Sleep(time.Hour)
	},
	"its teardown does not end": func(bool) {
		fmt.Print(begins + "\x16--- PASS: FuzzX (0.00s)\n\x16    --- PASS: FuzzX/abc (0.00s)\n")
		time.Sleep(time.Hour)
	},
	"it prints nothing of package testing, and the input fails": func(withInput bool) {
		if withInput {
			os.Exit(1)
		}
	},
	"it prints nothing of package testing, and always fails": func(bool) { os.Exit(1) },
	"its setup fails by chance": func(withInput bool) {
		if withInput {
			os.Exit(1)
		}
		fmt.Print(passes)
	},
	"it redirects its output, and the input passes": func(withInput bool) {
		if withInput {
			fmt.Print(begins)
		} else {
			fmt.Print("\x16=== RUN   FuzzX\n")
		}
	},
	"the input ends the process with exit code 0": func(withInput bool) {
		if withInput {
			fmt.Print(begins)
		} else {
			fmt.Print(passes)
		}
	},
	"the process fails after the input has passed": func(withInput bool) {
		if withInput {
			fmt.Print(begins + "\x16    --- PASS: FuzzX/abc (0.00s)\n")
			os.Exit(1)
		}
		fmt.Print(passes)
	},
	"something outside kills it": func(bool) {
		fmt.Print(begins)
		kill()
	},
	"something outside kills it after the input has failed": func(bool) {
		fmt.Print(begins + "\x16    --- FAIL: FuzzX/abc (0.00s)\n")
		kill()
	},
	"the process always fails in the end": func(withInput bool) {
		if withInput {
			fmt.Print(begins + "\x16    --- PASS: FuzzX/abc (0.00s)\n")
		} else {
			fmt.Print(passes)
		}
		os.Exit(1)
	},
}

// kill has the system end the process.
func kill() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	time.Sleep(time.Minute)
}

func TestMain(m *testing.M) {
	if act := actors[os.Getenv(actorEnv)]; act != nil {
		act(strings.Contains(strings.Join(os.Args, " "), "abc"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTheEndOfAProcessSaysWhatTheInputDoes(t *testing.T) {
	for name, want := range map[string]Outcome{
		"its teardown does not end after a failure":                 Failed,
		"its teardown does not end":                                 Passed,
		"it prints nothing of package testing, and the input fails": Failed,
		"it prints nothing of package testing, and always fails":    NotRun,
		"its setup fails by chance":                                 NotRun,
		"it redirects its output, and the input passes":             Passed,
		"the input ends the process with exit code 0":               Failed,
		"the process fails after the input has passed":              Failed,
		"the process always fails in the end":                       Passed,
		"something outside kills it":                                Killed,
		"something outside kills it after the input has failed":     Failed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Minute
			if strings.HasPrefix(name, "its teardown") {
				start = 10 * time.Second // to begin too
			}
			r, err := Run(t.Context(), Test{
				Path: os.Args[0], Env: append(os.Environ(), actorEnv+"="+name), Target: "FuzzX", Pattern: "^FuzzX$/^abc$", Limit: time.Minute, Start: start,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != want || (r.Why == "") != (want != NotRun && want != Killed) {
				t.Errorf("the outcome is %v %q, want %v", r.Outcome, r.Why, want)
			}
		})
	}
}
