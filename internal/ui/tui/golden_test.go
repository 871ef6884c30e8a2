package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var update = flag.Bool("update", false, "write the golden frames")

// begin is the time of the first event of a recording.
var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// recording is a list of events that a test makes.
type recording struct{ events []event.Stamped }

// at adds events at a number of seconds since the beginning.
func (r *recording) at(seconds float64, events ...event.Event) {
	for _, e := range events {
		r.events = append(r.events, event.Stamped{At: begin.Add(time.Duration(seconds * float64(time.Second))), Event: e})
	}
}

// targets are the targets of the recorded campaign.
var targets = []event.Subject{
	{Package: "example.com/m/expr", Folder: "expr", Func: "FuzzEval"},
	{Package: "example.com/m/ini", Folder: "ini", Func: "FuzzRoundTrip"},
	{Package: "example.com/m/query", Folder: "query", Func: "FuzzDecode"},
	{Package: "example.com/m/ratio", Folder: "ratio", Func: "FuzzParse"},
	{Package: "example.com/m/ratio", Folder: "ratio", Func: "FuzzCompare"},
	{Package: "example.com/m/rle", Folder: "rle", Func: "FuzzDecode"},
	{Package: "example.com/m/tlv", Folder: "tlv", Func: "FuzzDecode"},
}

// techniques are the techniques that make the entries of the recorded campaign.
var techniques = []string{"mutation", "solve", "", "value-profile", "splice", "dictionary", "solve+mutation"}

// recordBuilds returns a recording of a campaign that builds its test binaries.
func recordBuilds() *recording {
	r := &recording{}
	r.at(0, event.Plan{Targets: targets}, event.Build{Package: "example.com/m/expr", Number: 1, Total: 6})
	r.at(14, event.Building{Packages: []string{"example.com/m/expr", "example.com/m/ini"}, Done: 0, Total: 6, Seconds: 14})
	return r
}

// recordCampaign returns a recording of a minute of fuzzing, with events of most kinds.
func recordCampaign() *recording {
	r := recordBuilds()
	r.at(20, event.Building{Done: 6, Total: 6}, event.Start{Module: "example.com/m", Targets: 7, Workers: 2, Seconds: 120})
	r.at(20, event.Turn{Subject: targets[0], Slots: []int{0}}, event.Turn{Subject: targets[1], Slots: []int{1}})
	for s := 1; s <= 60; s++ {
		for i, name := range targets[:6] {
			run := event.Run{Instrumented: true, Execs: uint64(s) * 40000 * uint64(i+1), Edges: 50*(i+1) + 100*s/(s+5), Buckets: 300, Entries: 20 + s*(i+1), New: s, Rerun: 10 * s, Repeated: 9 * s}
			if run.Workers = 0; i < 2 {
				run.Workers = 1
			}
			if i == 1 && s > 50 {
				run.WarmingUp, run.WarmDone, run.WarmTotal = true, 80, 90
			}
			r.at(float64(20+s), event.Progress{Subject: name, Run: run, Spent: float64(s * (7 - i))})
			r.at(float64(20+s), event.Turn{Subject: name, Over: true, Execs: run.Execs, Turns: s, Spent: float64(s * (7 - i))})
		}
		r.at(float64(20+s), event.Entry{
			Subject: targets[0], Path: fmt.Sprintf("/cache/%d", s), Size: 30, Buckets: 2, Edges: s % 3, Technique: techniques[s*s%7%len(techniques)],
		})
		if s%5 == 0 {
			r.at(float64(20+s), event.Status{Seconds: float64(s), Begun: 6, Targets: 7, Execs: uint64(s) * 500000, Edges: 900 + 100*s/(s+5), Left: float64(120 - s)})
		}
	}
	r.at(80, event.Notice{What: event.Quiet, Subject: targets[3], Text: "the next new edge is expected in about 2h"})
	r.at(80, event.Notice{What: event.Aside, Subject: targets[5], Text: "the process ends before F.Fuzz:\nexit status 2"})
	r.at(80, record("0123456789abcdef", targets[0], "integer divide by zero", false), record("fedcba9876543210", targets[1], "it does not round-trip", true))
	return r
}

func record(id string, t event.Subject, message string, flaky bool) event.Finding {
	return event.Finding{
		Record: finding.Record{
			ID: id, Kind: finding.Panic, Message: message, Package: t.Package, Folder: t.Folder, Target: t.Func, Flaky: flaky,
			Input: "go test fuzz v1\nstring(\"1/0\")\n", Replays: 3, Repeats: 3,
		},
		Short: id[:4], Literals: []string{`string("1/0")`}, Rerun: "go test -run=" + t.Func + "/" + id + " ./" + t.Folder,
	}
}

func newState(module string, name func(event.Subject) string) *state {
	return &state{State: board.NewState(), module: module, name: name}
}

// play returns the scene of a recording.
func (r *recording) play(width, height int) *scene {
	s := newState("example.com/m", func(t event.Subject) string { return "./" + t.Folder + " " + t.Func })
	for _, e := range r.events {
		s.Apply(e)
	}
	return &scene{state: s, at: &place{}, width: width, height: height, styles: newStyles(true)}
}

// keys presses keys, one after the other.
func (sc *scene) keys(names ...string) {
	for _, name := range names {
		controls{sc}.key(name)
	}
}

// frame returns the frame without colors.
func (sc *scene) frame() string { return ansi.Strip(strings.Join(sc.view(), "\n")) + "\n" }

// frames are the golden frames by their names.
var frames = map[string]func(width, height int) *scene{
	"building": func(w, h int) *scene {
		sc := recordBuilds().play(w, h)
		sc.builds = "building 1 of 6: ./expr (57 of 143 packages), ./ini, 14s"
		return sc
	},
	"overview": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("down")
		return sc
	},
	"target": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.at.literals = map[string]string{"/cache/60": `string("1/0")`, "/cache/59": `string("(((1+2)*x")`}
		sc.keys("enter")
		return sc
	},
	"covered": func(w, h int) *scene {
		r := recordCampaign()
		r.at(80, event.Cover{Subject: targets[0], Reached: event.Reached{Covered: 61, Statements: 88}})
		sc := r.play(w, h)
		sc.keys("enter")
		return sc
	},
	"filter": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("/", "D", "e", "c", "down")
		return sc
	},
	"filtered": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("2", "/", "i", "n", "i", "enter")
		return sc
	},
	"findings": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("2", "down")
		return sc
	},
	"finding": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("2", "down", "enter")
		sc.at.blockOf = sc.at.finding
		sc.at.block = strings.Split("finding 0123  FuzzEval  integer divide by zero\n  expr/eval.go:12 in expr.eval\n        11 | case '/':\n   >    12 |     return a / b\n  what    panic: the code panics with this input\n  input   string(\"1/0\")\n  proof   3 of 3 replays in a fresh process\n  re-run  go test -run=FuzzEval/0123456789abcdef ./expr", "\n")
		return sc
	},
	"log": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		for i := range 50 {
			sc.log = append(sc.log, fmt.Sprintf("%ds: 6 of 7 targets started", 5*i))
		}
		sc.log[45] = "\tp/p_test.go:9 +0x1d" // a line of a stack
		sc.keys("3", "up", "up")
		return sc
	},
	"help": func(w, h int) *scene {
		sc := recordCampaign().play(w, h)
		sc.keys("?")
		return sc
	},
}

func TestFrames(t *testing.T) {
	for name, play := range frames {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			file := fmt.Sprintf("%s_%dx%d.golden", name, size[0], size[1])
			t.Run(file, func(t *testing.T) {
				sc := play(size[0], size[1])
				got := sc.frame()
				path := filepath.Join("testdata", file)
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("the frame is\n%s, want\n%s", got, want)
				}
				checkSize(t, sc)
			})
		}
	}
}

// checkSize checks that a frame has the size of the terminal.
func checkSize(t *testing.T, sc *scene) {
	t.Helper()
	lines := sc.view()
	if len(lines) != sc.height {
		t.Errorf("the frame has %d lines, want %d", len(lines), sc.height)
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > sc.width {
			t.Errorf("line %d has %d columns, want at most %d: %q", i+1, n, sc.width, line)
		}
		if strings.ContainsAny(ansi.Strip(line), "\x1b\n\r\t\x07") {
			t.Errorf("line %d is %q", i+1, line)
		}
	}
}
