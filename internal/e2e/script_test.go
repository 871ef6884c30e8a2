package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptDir holds the scripts.
const scriptDir = "../../testdata/script"

// scriptLimit ends a script that hangs.
const scriptLimit = 8 * time.Minute

// scriptT is the T that testscript runs one script on. The script is no subtest of it: its limit begins when it does, and not while it
// waits for others.
type scriptT struct{ *testing.T }

// Run runs the script.
func (t scriptT) Run(_ string, f func(testscript.T)) { f(t) }

// Parallel does nothing: the test runs beside others already.
func (t scriptT) Parallel() {}

func (t scriptT) Verbose() bool { return testing.Verbose() }

// handful are the scripts that -short runs.
var handful = []string{"test_found", "test_plain", "fuzz_several", "help", "test_bad_values"}

// TestScripts runs the scripts. Besides the commands of testscript they have
//
//	exits CODE command [args]   runs a command, which must give this exit code
//	same [args]                 go test and gnaw test with args must print the same, and give the same exit code
//	count N pattern...          the patterns must match N files
//	findingid NAME TARGET       sets the variable to the ID of the finding of this target in the module
//	jsonlines [event...]        stdout is one JSON object on each line, and these are the kinds of their events, in the
//	                            order of the alphabet; the last line is of the kind "end" if there is one
//	appendid FILE ID            appends a line with the ID to a list of known findings
//	browse ADDRESSFILE CODE FILE PATH [PATTERN]
//	                            sends a request to the dashboard whose address is in ADDRESSFILE until the answer has the code and
//	                            matches the pattern, and writes the answer to FILE
//	order ADDRESSFILE CODE ACTION
//	                            sends the order to pause, resume or stop the campaign to the dashboard; the answer must have the code
//	goproxy DIR MODULES         makes a module proxy of the folders MODULES/<module>@<version>, and sets GOPROXY
//	webhook NAME [CODE...]      starts a server that appends the body of each request to NAME.jsonl, and sets the variable NAME to its
//	                            URL, whose path contains the word S3CRET. It answers with the codes in their order, then with 200
//
// the conditions [root], [race] and [long] (with -e2e.long), and the variables GNAWEXE (path of gnaw), GOROOTBIN and SYSPATH (what PATH consists
// of, besides the folder of gnaw).
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scriptDir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", scriptDir, err)
	}
	if testing.Short() {
		files = slices.DeleteFunc(files, func(f string) bool {
			return !slices.Contains(handful, strings.TrimSuffix(filepath.Base(f), ".txtar"))
		})
	}
	depend()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testscript.RunT(scriptT{t}, script(file))
		})
	}
}

// script returns how a script runs.
func script(file string) testscript.Params {
	return testscript.Params{
		Files:    []string{file},
		Deadline: time.Now().Add(scriptLimit),
		Setup: func(env *testscript.Env) error {
			w, err := newWorld(env.WorkDir)
			if err != nil {
				return err
			}
			for _, v := range w.vars() {
				env.Setenv(v[0], v[1])
			}
			env.Setenv("GNAWEXE", host.gnaw)
			env.Setenv("GOROOTBIN", filepath.Join(host.goroot, "bin"))
			env.Setenv("SYSPATH", os.Getenv("PATH"))
			env.Defer(func() {
				if n := w.processes(); !eventually(func() bool { n = w.processes(); return len(n) == 0 }) {
					w.killAll()
					env.T().Log(fmt.Sprintf("FAIL: processes are left over: %v", n))
					env.T().FailNow()
				}
			})
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "race":
				return hasRace(), nil
			case "long":
				return *flagLong, nil
			}
			return false, fmt.Errorf("no such condition: %s", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"same":  same,
			"count": count,

			"findingid": findingID,
			"appendid":  appendID,
			"jsonlines": jsonLines,
			"goproxy":   goProxy,
			"webhook":   webhook,
			"browse":    browse,
			"order":     order,
		},
	}
}

// hasRace reports whether the tests use the race detector here. It needs a C compiler; if there is none, warmUp fails.
func hasRace() bool {
	return runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := codeOf(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code is %d, want %d", got, want)
	}
}

// codeOf is the exit code that an error of Exec stands for.
func codeOf(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: same [args]")
	}
	var code [2]int
	var output [2]string
	for i, tool := range []string{"go", "gnaw"} {
		code[i] = codeOf(ts, ts.Exec(tool, append([]string{"test"}, args...)...))
		output[i] = normal(ts.ReadFile("stdout") + ts.ReadFile("stderr"))
	}
	if code[0] != code[1] || output[0] != output[1] {
		ts.Fatalf("go test exits with %d and prints\n%s\n\ngnaw test exits with %d and prints\n%s", code[0], output[0], code[1], output[1])
	}
}

func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: count N pattern...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var found []string
	for _, pattern := range args[1:] {
		files, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		found = append(found, files...)
	}
	if len(found) != want {
		ts.Fatalf("%d files match, want %d: %s", len(found), want, strings.Join(found, " "))
	}
}

func findingID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: findingid NAME TARGET")
	}
	ts.Check(ts.Exec("gnaw", "findings", "-json"))
	for dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout"))); dec.More(); {
		var f struct{ ID, Target string }
		ts.Check(dec.Decode(&f))
		if f.Target == args[1] {
			ts.Setenv(args[0], f.ID)
			return
		}
	}
	ts.Fatalf("there is no finding of %s", args[1])
}

func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: jsonlines [event...]")
	}
	var kinds []string
	last := ""
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var l struct {
			Event string
			At    time.Time
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			ts.Fatalf("%v in the line\n%s", err, line)
		}
		if len(args) > 0 && l.At.IsZero() {
			ts.Fatalf("the line has no time:\n%s", line)
		}
		if last == "end" {
			ts.Fatalf("there is a line behind the end:\n%s", line)
		}
		if last = l.Event; last != "" && !slices.Contains(kinds, last) {
			kinds = append(kinds, last)
		}
	}
	slices.Sort(kinds)
	if !slices.Equal(kinds, args) {
		ts.Fatalf("the events are %q, want %q", kinds, args)
	}
}

func appendID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: appendid FILE ID")
	}
	text := ts.ReadFile(args[0]) + fmt.Sprintf("id = %q\n", args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
