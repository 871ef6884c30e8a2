package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
)

func TestTheArgumentsThatTellCampaignsApart(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"limits and patterns", []string{"-fuzztime=5m", "-parallel", "2", "./..."}, "-fuzztime=5m -parallel 2 ./..."},
		{"not what is printed", []string{"-v", "-json", "--json", "-fresh", "./a"}, "./a"},
		{"not what is printed, with a value", []string{"-v=true", "--json=1", "-fresh=false", "./a"}, "./a"},
		{"a value that looks like such a flag", []string{"-tags", "json", "v"}, "-tags json v"},
		{"nothing", nil, ""},
	} {
		if got := sameArgs(tt.args); got != tt.want {
			t.Errorf("%s: sameArgs(%q) = %q, want %q", tt.name, tt.args, got, tt.want)
		}
	}
}

func TestAliveTellsTheLivingFromTheDead(t *testing.T) {
	if !alive(os.Getpid()) {
		t.Error("this process is dead")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if alive(cmd.Process.Pid) {
		t.Error("a process that has ended and was waited for is alive")
	}
}

// memberOf is a target of a console that prints into out.
func memberOf(out *bytes.Buffer) *member {
	c := newConsole(Env{Stdout: out, Stderr: out, Dir: "/m"}, fuzzFlags{execs: 100}, build.Toolchain{}, []build.Target{
		{Package: "example.com/m", Name: "FuzzX", Dir: "/m"},
	}, func() {})
	m := c.members[0]
	m.code, m.past = "before", state{campaign.Past{Turns: 3, Execs: 70}, map[string]string{"aa": "bug", "bb": "flaky"}}
	return m
}

func TestATargetGoesOnIfItsCodeIsTheSame(t *testing.T) {
	var out bytes.Buffer
	m := memberOf(&out)
	m.recognize("before")
	if p := m.Past(); p.Turns != 3 || m.limit() != 30 || m.countOf(buggy) != 1 || m.countOf(flaky) != 1 || len(m.console.bugs) != 1 {
		t.Errorf("it goes on with %+v, %d executions, findings %v", p, m.limit(), m.told)
	}
	if out.Len() > 0 {
		t.Errorf("it says %q", out.String())
	}
	if m.snapshot().Execs != 70 {
		t.Errorf("before its first turn it has %d executions, want those of before", m.snapshot().Execs)
	}
	m = memberOf(&out)
	m.recognize("after")
	if p := m.Past(); p.Turns != 0 || m.limit() != 100 || len(m.told) != 0 {
		t.Errorf("with other code it goes on with %+v, %d executions, findings %v", p, m.limit(), m.told)
	}
	if !strings.Contains(out.String(), "FuzzX has changed since and begins anew\n") {
		t.Errorf("it says %q", out.String())
	}
}

func TestElapsedIsNotOfTheClockOnTheWall(t *testing.T) {
	m := memberOf(new(bytes.Buffer))
	c := m.console
	if c.elapsed() != 0 {
		t.Errorf("before fuzzing begins %v have passed", c.elapsed())
	}
	// A time without its monotonic part is what the clock on the wall says; one with it cannot jump.
	c.begin()
	if c.began.String() == c.began.Round(0).String() {
		t.Errorf("the begin, %v, has no monotonic part", c.began)
	}
	c.spent = time.Hour
	if e := c.elapsed(); e < time.Hour || e > time.Hour+time.Minute {
		t.Errorf("after a kill %v have passed, want an hour", e)
	}
}

func TestExecutionsOfBeforeAKillHaveNoShareInTheRate(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []string
	}{
		{"the same code", "before", []string{"70 execs (0/s)", "70 execs (0/s)"}},
		{"other code, so that what was before is dropped", "after", []string{"70 execs (0/s)", "0 execs (0/s)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := memberOf(&out)
			m.console.begin()
			for i, want := range tt.want {
				out.Reset()
				m.console.status()
				if !strings.Contains(out.String(), " "+want) {
					t.Errorf("status line %d is %q, want one with %q", i+1, out.String(), want)
				}
				m.recognize(tt.code) // its binary is built while others are fuzzed
			}
		})
	}
}

// Numbers of processes are given out anew, soon where there are few, and a process whose parent does not wait for it keeps its own.
func TestAnotherProgramOrWhatHasEndedIsNotAlive(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	for _, tt := range []struct{ name, command string }{
		{"another program", "sleep 60"},
		{"one that nobody has waited for", ""},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		if tt.command != "" {
			cmd = exec.Command("sh", "-c", "exec "+tt.command)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if tt.command == "" {
			_, _ = io.Copy(io.Discard, out) // to its end
			waitFor(t, func() bool { _, state, _ := processName(strconv.Itoa(cmd.Process.Pid)); return state == zombie })
		} else {
			waitFor(t, func() bool { name, _, _ := processName(strconv.Itoa(cmd.Process.Pid)); return name == "sleep" })
		}
		if alive(cmd.Process.Pid) {
			t.Errorf("%s is alive", tt.name)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for begin := time.Now(); !so(); runtime.Gosched() {
		if time.Since(begin) > time.Minute {
			t.Fatal("it does not come to pass")
		}
	}
}
