package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// builds are the events of the build of two packages, of which the second takes n seconds.
func builds(n int) (list []event.Stamped) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	add := func(seconds int, e event.Event) {
		list = append(list, event.Stamped{At: begin.Add(time.Duration(seconds) * time.Second), Event: e})
	}
	add(0, event.Build{Package: "example.com/m", Number: 1, Total: 2})
	add(1, event.Building{Packages: []string{"example.com/m"}, Total: 2, Seconds: 1})
	add(2, event.Building{Done: 1, Total: 2})
	add(2, event.Build{Package: "example.com/m/p", Number: 2, Total: 2})
	for s := 1; s <= n; s++ {
		add(2+s, event.Building{Packages: []string{"example.com/m/p"}, Done: 1, Total: 2, Seconds: float64(s)})
	}
	add(2+n, event.Building{Done: 2, Total: 2})
	return list
}

func TestALogGetsALineForEachBuildAndAnotherEveryFifteenSeconds(t *testing.T) {
	var out bytes.Buffer
	r := New(Options{Out: Output{Writer: &out}, Dir: "/m", Module: project.Module{Root: "/m", Path: "example.com/m"}})
	for _, s := range builds(40) {
		r.Event(s)
	}
	want := "building the test binary of example.com/m (1 of 2)\nbuilding the test binary of example.com/m/p (2 of 2)\n" +
		"building 2 of 2: ./p, 15s\nbuilding 2 of 2: ./p, 30s\n"
	if out.String() != want {
		t.Errorf("the log is\n%s, want\n%s", out.String(), want)
	}
}

func TestATerminalShowsTheBuildsOnOneLine(t *testing.T) {
	var out bytes.Buffer
	var lines []string
	r := New(Options{
		Out: Output{Writer: &out, Terminal: true}, Dir: "/m", Module: project.Module{Root: "/m", Path: "example.com/m"},
		Progress: func(line string) { lines = append(lines, line) },
	})
	for _, s := range builds(2) {
		r.Event(s)
	}
	want := []string{"building 1 of 2: ., 1s", "", "building 2 of 2: ./p, 1s", "building 2 of 2: ./p, 2s", ""}
	if !slices.Equal(lines, want) || out.Len() > 0 {
		t.Errorf("the lines are %q and the output %q, want the lines %q", lines, out.String(), want)
	}
}

func TestTheLineOfABuildNamesAllPackages(t *testing.T) {
	e := event.Building{Packages: []string{"example.com/m/p", "example.org/other"}, Race: true, Done: 2, Total: 12, Seconds: 83.6, Ready: 57, Needed: 143}
	got := Building(e, "/m", project.Module{Root: "/m", Path: "example.com/m"})
	if want := "building 3 of 12 with the race detector: ./p (57 of 143 packages), example.org/other, 1m24s"; got != want {
		t.Errorf("the line is %q, want %q", got, want)
	}
}

func TestAFindingStandsOutOnATerminal(t *testing.T) {
	var out bytes.Buffer
	r := New(Options{Out: Output{Writer: &out, Terminal: true, Color: true}, Module: project.Module{Root: "/m", Path: "example.com/m"}})
	finding := event.Finding{Short: "0123"}
	finding.Target, finding.Message, finding.Replays, finding.Repeats = "FuzzX", "no \x1b[2J way", 3, 3
	for _, e := range []event.Event{event.Status{Seconds: 5}, finding, finding, event.Status{Seconds: 60}} {
		r.Event(event.Stamped{Event: e})
	}
	lines := strings.Split(out.String(), "\n")
	blank := 0
	for i, line := range lines[:len(lines)-1] {
		if line != "" {
			continue
		}
		blank++
		if lines[i+1] == "" {
			t.Errorf("the lines %d and %d are empty", i+1, i+2)
		}
	}
	if blank != 3 || lines[1] != "" || !strings.HasPrefix(lines[2], "\x1b[1;31mfinding 0123") || !strings.HasSuffix(lines[2], "\x1b[m") {
		t.Errorf("the output is %q", lines)
	}
	if strings.Contains(out.String(), "\x1b[2J") {
		t.Errorf("an escape code of the target is in %q", out.String())
	}
}

func TestColorsOfATerminal(t *testing.T) {
	for _, tt := range []struct {
		name            string
		terminal, color bool
		want            string
	}{
		{"in a file", false, true, "warning: . FuzzX: a\x1b[mb\n"},
		{"on a terminal without colors", true, false, "warning: . FuzzX: a\\x1b[mb\n"},
		{"on a terminal", true, true, "\x1b[33mwarning: . FuzzX: a\\x1b[mb\x1b[m\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			r := New(Options{Out: Output{Writer: &out, Terminal: tt.terminal, Color: tt.color}, Dir: "/m", Module: project.Module{Root: "/m"}})
			r.Event(event.Stamped{Event: event.Notice{What: event.Warning, Subject: event.Subject{Folder: ".", Func: "FuzzX"}, Text: "a\x1b[mb"}})
			if out.String() != tt.want {
				t.Errorf("the output is %q, want %q", out.String(), tt.want)
			}
		})
	}
}
