package jsonl

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var (
	at   = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	some = event.Subject{Func: "FuzzX"}
)

// written returns the lines that are written of events.
func written(verbose bool, events ...event.Event) string {
	var out bytes.Buffer
	r := &Renderer{Out: &out, Verbose: verbose}
	for _, e := range events {
		r.Event(event.Stamped{At: at, Event: e})
	}
	return out.String()
}

func TestEachEventIsOneLine(t *testing.T) {
	got := written(false, event.Build{Package: "a<b"}, event.Notice{What: event.Warning, Subject: some, Text: "two\nlines"})
	want := `{"event":"build","at":"2026-03-01T00:00:00Z","package":"a<b"}` + "\n" +
		`{"event":"warning","at":"2026-03-01T00:00:00Z","target":"FuzzX","text":"two\nlines"}` + "\n"
	if got != want {
		t.Errorf("it writes %q, want %q", got, want)
	}
}

func TestDetailsAreWrittenIfTheUserAsksForThem(t *testing.T) {
	details := []event.Event{
		event.Entry{Subject: some, Path: "p", Size: 4, Buckets: 1},
		event.Loading{Subject: some},
		event.WarmUp{Subject: some},
		event.WarmedUp{Subject: some},
		event.Progress{Subject: some},
		event.Turn{Subject: some},
		event.Again{Subject: some},
		event.SeedFailed{Subject: some},
		event.Minimize{Subject: some},
		event.OverLimit{Subject: some},
		event.Plan{},
		event.Building{Total: 1},
	}
	for _, e := range details {
		if got := written(false, e); got != "" {
			t.Errorf("without -v %q is written", got)
		}
		if got, want := written(true, e), `{"event":"`+e.Name()+`",`; !strings.HasPrefix(got, want) {
			t.Errorf("with -v %q is written, want %q at its begin", got, want)
		}
	}
	if got, want := written(true, details[0]), `{"event":"entry","at":"2026-03-01T00:00:00Z","target":"FuzzX","path":"p","size":4,"buckets":1,"edges":0}`+"\n"; got != want {
		t.Errorf("an entry is %q, want %q", got, want)
	}
}

func TestAnEventThatCannotBeEncodedIsLeftOut(t *testing.T) {
	if got := written(false, event.Status{Rate: math.NaN()}); got != "" {
		t.Errorf("%q is written", got)
	}
}

// full is an output that cannot be written to.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAnOutputThatCannotBeWrittenStopsNothing(t *testing.T) {
	r := &Renderer{Out: full{}}
	for range 3 {
		r.Event(event.Stamped{At: at, Event: event.Build{}})
	}
}
