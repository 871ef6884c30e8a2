package jsonl

import (
	"bytes"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestEachEventIsOneLine(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		verbose bool
		want    string
	}{
		{"without entries", false, `{"event":"build","at":"2026-03-01T00:00:00Z","package":"a<b"}` + "\n"},
		{"with entries", true, `{"event":"build","at":"2026-03-01T00:00:00Z","package":"a<b"}` + "\n" +
			`{"event":"entry","at":"2026-03-01T00:00:00Z","target":"FuzzX","path":"p","buckets":1,"edges":0}` + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			r := &Renderer{Out: &out, Verbose: tt.verbose}
			r.Event(event.Stamped{At: at, Event: event.Build{Package: "a<b"}})
			r.Event(event.Stamped{At: at, Event: event.Entry{Target: event.Target{Target: "FuzzX"}, Path: "p", Buckets: 1}})
			if out.String() != tt.want {
				t.Errorf("it writes %q, want %q", out.String(), tt.want)
			}
		})
	}
}
