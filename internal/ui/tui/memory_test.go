package tui

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// maxGrowth is the number of bytes by which the heap may grow in an hour after all lists of the interface are full.
const maxGrowth = 1 << 20

func TestAnHourOfEventsNeedsNoMoreMemoryThanAPartOfIt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	u := begun(in, io.Discard)
	defer u.Close()
	second := func(s int) {
		at := begin.Add(time.Duration(s) * time.Second)
		for i, name := range targets {
			n := s*len(targets) + i
			run := event.Run{Workers: 1, Execs: uint64(1000 * s), Edges: s, Entries: s, Rerun: s, Repeated: s}
			for _, e := range []event.Event{
				event.Progress{Subject: name, Run: run, Spent: float64(s)},
				event.Entry{Subject: name, Path: fmt.Sprintf("/cache/%d", n), Size: 30, Edges: 1, Technique: techniques[n%len(techniques)]},
				event.Notice{What: event.Warning, Subject: name, Text: fmt.Sprintf("careful with %d", n)},
				record(fmt.Sprintf("%016x", n), name, fmt.Sprintf("no %d", n), n%5 == 0),
				event.Building{Packages: []string{name.Package}, Done: i, Total: len(targets), Seconds: float64(s)},
				event.Cover{Subject: name, Reached: event.Reached{Covered: s, Statements: 4000}},
			} {
				u.Event(event.Stamped{At: at, Event: e})
			}
		}
		u.Event(event.Stamped{At: at, Event: event.Status{Seconds: float64(s), Targets: len(targets)}})
	}
	const full = 10 * 60 // seconds after which all lists are full
	for s := range full {
		second(s)
	}
	before := testkit.Heap()
	for s := full; s < 3600; s++ {
		second(s)
	}
	if grown := testkit.Heap() - before; grown > maxGrowth {
		t.Errorf("after an hour, the interface needs %d bytes more than after ten minutes, want at most %d", grown, maxGrowth)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.state.Findings); n > 1000 || u.state.Lost+n != 3600*len(targets) {
		t.Errorf("the list has %d findings, and %d were removed from it", n, u.state.Lost)
	}
}

// BenchmarkRedraw draws a frame of a campaign with a thousand targets, on each page.
func BenchmarkRedraw(b *testing.B) {
	r := &recording{}
	plan := event.Plan{}
	for i := range 1000 {
		plan.Targets = append(plan.Targets, event.Subject{Package: "example.com/m", Folder: fmt.Sprintf("p%d", i), Func: "FuzzX"})
	}
	r.at(0, plan, event.Start{Targets: 1000, Workers: 8})
	for s := range 300 {
		for i, name := range plan.Targets {
			run := event.Run{Execs: uint64(s * i), Edges: s + i, Entries: s}
			r.at(float64(s), event.Progress{Subject: name, Run: run, Spent: float64(i)})
		}
	}
	for i := range 2000 {
		r.at(300, record(fmt.Sprintf("%016x", i), plan.Targets[i%1000], "integer divide by zero", false))
	}
	for _, tt := range []struct {
		name string
		keys []string
	}{
		{"targets", []string{"s", "s", "end"}},
		{"filtered targets", []string{"/", "7", "enter"}},
		{"target", []string{"enter"}},
		{"findings", []string{"2", "end"}},
		{"filtered findings", []string{"2", "/", "7", "enter"}},
		{"log", []string{"3", "/", "7", "enter"}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			sc := r.play(120, 40)
			for i := range maxLog {
				sc.log = append(sc.log, fmt.Sprintf("%ds: 1000 of 1000 targets started", i))
			}
			sc.keys(tt.keys...)
			for b.Loop() {
				sc.view()
			}
		})
	}
}
