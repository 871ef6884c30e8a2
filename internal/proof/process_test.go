package proof

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// actorEnv has the test binary act as one of the actors instead.
const actorEnv = "PROOF_TEST_ACTOR"

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
	"the input has the system kill it": func(withInput bool) {
		if !withInput {
			fmt.Print(passes)
			return
		}
		fmt.Print(begins)
		kill()
	},
	"something outside kills it before the input": func(withInput bool) {
		if withInput {
			kill()
		}
		fmt.Print(passes)
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

// seeds are the output of a target with two seeds that come to their end.
const seeds = "\x16=== RUN   FuzzX\n\x16=== RUN   FuzzX/seed#0\n\x16=== RUN   FuzzX/seed#0/sub\n\x16=== RUN   FuzzX/seed#1\n"

func init() {
	for name, act := range map[string]func(){
		"all seeds pass": func() {
			fmt.Print(seeds + "\x16--- PASS: FuzzX (0.00s)\n\x16    --- PASS: FuzzX/seed#0 (0.00s)\nPASS\n")
		},
		"a seed fails": func() {
			fmt.Print(seeds + "\x16--- FAIL: FuzzX (0.00s)\n\x16    --- FAIL: FuzzX/seed#0 (0.00s)\nwrong\n")
			os.Exit(1)
		},
		"a seed ends the process":           func() { fmt.Print(seeds + "panic: wrong\n"); os.Exit(2) },
		"a teardown fails":                  func() { fmt.Print(seeds + "\x16--- PASS: FuzzX (0.00s)\nPASS\nwrong\n"); os.Exit(1) },
		"the seeds do not end":              func() { fmt.Print(seeds); time.Sleep(time.Hour) },
		"something outside kills all seeds": func() { fmt.Print(seeds); kill() },
	} {
		actors[name] = func(bool) { act() }
	}
}

func TestTheEndOfAProcessSaysWhatAllSeedsDo(t *testing.T) {
	for name, want := range map[string]Whole{
		"all seeds pass":                    {},
		"a seed fails":                      {Red: true, Failing: []string{"seed#0"}, Output: "wrong\nexit status 1"},
		"a seed ends the process":           {Red: true, Failing: []string{"seed#1"}, Output: "panic: wrong\nexit status 2"},
		"a teardown fails":                  {Red: true, Output: "PASS\nwrong\nexit status 1"},
		"the seeds do not end":              {Unknown: "it takes more than 5s"},
		"something outside kills all seeds": {Unknown: "something outside has ended its test process: signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if want.Unknown == "it takes more than 5s" {
				limit = 5 * time.Second
			}
			all := test{path: os.Args[0], env: append(os.Environ(), actorEnv+"="+name), target: "FuzzX", pattern: "^FuzzX$"}
			if got, err := all.whole(t.Context(), limit); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("whole = %+v, %v; want %+v", got, err, want)
			}
		})
	}
}

func TestHowLongASubtestTakesOnAnIdleMachine(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name                  string
		took, processor, want time.Duration
	}{
		{"nothing else runs", 500 * ms, 490 * ms, 500 * ms},
		{"several threads run at once", 500 * ms, 900 * ms, 500 * ms},
		{"it waits for a processor", 2000 * ms, 480 * ms, 500 * ms},
		{"it ends before its process is looked at again", 15 * ms, 1 * ms, 15 * ms},
		{"it waits for something else", 2000 * ms, 10 * ms, 2000 * ms},
		{"the system does not report the time of the processor", 90 * ms, 0, 90 * ms},
	} {
		if got := (result{took: tt.took, processor: tt.processor}).alone(); got != tt.want {
			t.Errorf("%s: alone of %v with %v of the processor = %v, want %v", tt.name, tt.took, tt.processor, got, tt.want)
		}
	}
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
	for name, want := range map[string]outcome{
		"its teardown does not end after a failure":                 failed,
		"its teardown does not end":                                 passed,
		"it prints nothing of package testing, and the input fails": failed,
		"it prints nothing of package testing, and always fails":    notRun,
		"its setup fails by chance":                                 notRun,
		"it redirects its output, and the input passes":             passed,
		"the input ends the process with exit code 0":               failed,
		"the process fails after the input has passed":              failed,
		"the process always fails in the end":                       passed,
		"something outside kills it":                                killed,
		"the input has the system kill it":                          failed,
		"something outside kills it before the input":               killed,
		"something outside kills it after the input has failed":     failed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Minute
			if strings.HasPrefix(name, "its teardown") {
				start = 10 * time.Second // to begin too
			}
			r, err := test{
				path: os.Args[0], env: append(os.Environ(), actorEnv+"="+name), target: "FuzzX", pattern: "^FuzzX$/^abc$", limit: time.Minute, start: start,
			}.prove(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if r.outcome != want || (r.why == "") != (want != notRun && want != killed) {
				t.Errorf("the outcome is %v %q, want %v", r.outcome, r.why, want)
			}
		})
	}
}
