package proof

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func init() {
	const pass = "\x16    --- PASS: FuzzX/abc (0.00s)\n"
	for name, act := range map[string]func(withInput bool){
		"the third time ends the process": func(withInput bool) {
			if withInput {
				fmt.Print(begins + pass + begins + pass + begins + "panic: late\n")
				os.Exit(2)
			}
		},
		"the process ends without the input too": func(withInput bool) {
			if withInput {
				fmt.Print(begins + pass + begins)
			}
			fmt.Print("panic: late\n")
			os.Exit(2)
		},
		"the second time fails": func(withInput bool) {
			if withInput {
				fmt.Print(begins + pass + begins + "\x16    --- FAIL: FuzzX/abc (0.00s)\npanic: late\n")
				os.Exit(2)
			}
		},
		"the process ends by something else": func(withInput bool) {
			if withInput {
				fmt.Print(begins + pass + "panic: early\n")
				os.Exit(2)
			}
		},
		"the input passes for ever": func(bool) {
			for {
				fmt.Print(begins + pass)
			}
		},
		"the input passes as often as it is asked for": func(bool) { fmt.Print(begins + pass) },
	} {
		actors[name] = act
	}
}

func TestAnInputIsRepeatedUntilItsProcessEnds(t *testing.T) {
	for name, ends := range map[string]bool{
		"the third time ends the process":              true,
		"the process ends without the input too":       false,
		"the second time fails":                        false,
		"the process ends by something else":           false,
		"the input passes for ever":                    false,
		"the input passes as often as it is asked for": false,
		"something outside kills it":                   false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count, err := test{
				path: os.Args[0], env: append(os.Environ(), actorEnv+"="+name), target: "FuzzX", pattern: "^FuzzX$/^abc$", limit: time.Minute, start: time.Minute,
			}.repeat(t.Context(), func(output string, exit error) bool {
				return strings.Contains(output, "panic: late") && exit.Error() == "exit status 2"
			})
			if err != nil || (count > 0) != ends {
				t.Errorf("the count is %d (%v), want one: %v", count, err, ends)
			}
		})
	}
}

func TestTheCountLeavesTimeForAnotherMachine(t *testing.T) {
	for _, tt := range []struct {
		name  string
		runs  int
		lived time.Duration
		want  int
	}{
		{"at once", 1, 0, 1_000_000},
		{"many executions within a moment", 100, 3 * time.Millisecond, 50_000},
		{"few executions within a long time", 3, time.Second, 50},
		{"one slow execution", 1, 10 * time.Second, 10},
	} {
		if got := countOf(tt.runs, tt.lived); got != tt.want {
			t.Errorf("%s: the count is %d, want %d", tt.name, got, tt.want)
		}
	}
}
