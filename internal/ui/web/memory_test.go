package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

const (
	hour    = 3600 // seconds
	busiest = 100  // targets that make progress in a second
	notices = 25   // lines of the log in a second
	repeats = 1000 // of eight bytes, in the output of a finding
)

const (
	// maxGrowth is the number of bytes by which the heap may grow in the second half of an hour, with one client more. Keeping the lines of the log,
	// the findings or the states of that time would need far more.
	maxGrowth = 8 << 20
	// moments is at how many moments the heap is measured. The least size counts: at some moments streams are encoding states, of some MB each.
	moments = 20
)

// longCampaign is a campaign of manyTargets targets without an engine. Its numbers follow from its time.
type longCampaign struct {
	names  []event.Subject
	second atomic.Int64
}

func newLongCampaign() *longCampaign {
	c := &longCampaign{}
	for i := range manyTargets {
		folder := fmt.Sprintf("p%d", i/10)
		c.names = append(c.names, event.Subject{Package: module + "/" + folder, Folder: folder, Func: fmt.Sprintf("Fuzz%d", i)})
	}
	return c
}

func (c *longCampaign) run() event.Run {
	s := int(c.second.Load())
	return event.Run{Instrumented: true, Execs: uint64(1000 * s), Edges: s, Buckets: s, Entries: s, New: s, Rerun: s, Repeated: s}
}

func (c *longCampaign) snapshot() event.Snapshot {
	s := event.Snapshot{At: time.Now(), Module: module, Number: 1, Totals: event.Status{Targets: manyTargets, Begun: manyTargets}}
	for _, name := range c.names {
		s.Targets = append(s.Targets, event.TargetState{Subject: name, Run: c.run(), Result: event.Clean, Begun: true})
	}
	for i := range 16 {
		s.Workers = append(s.Workers, event.WorkerState{Number: i, Doing: event.Fuzzing, Target: c.names[i]})
	}
	return s
}

// play gives a second of events to a receiver.
func (c *longCampaign) play(second int, to *Live) {
	c.second.Store(int64(second))
	at := someTime.Add(time.Duration(second) * time.Second)
	send := func(e event.Event) { to.Event(event.Stamped{At: at, Event: e}) }
	for i := range busiest {
		n := second*busiest + i
		name := c.names[n%manyTargets]
		send(event.Progress{Subject: name, Run: c.run(), Spent: float64(second)})
		send(event.Entry{Subject: name, Path: fmt.Sprintf("/cache/%d", n), Size: 30, Edges: 1, Technique: "solve"})
		if i < notices {
			send(event.Notice{What: event.Warning, Subject: name, Text: fmt.Sprintf("careful with %d %s", n, strings.Repeat("x", maxLine/2))})
		}
	}
	found := bug("")
	found.ID, found.Output = fmt.Sprintf("%016x", second), strings.Repeat(fmt.Sprintf("%08x", second), repeats)
	send(event.Finding{Record: found, Short: found.ID})
	send(event.Building{Packages: []string{c.names[second%manyTargets].Package}, Total: 100})
	send(event.Status{Seconds: float64(second), Targets: manyTargets})
}

// blockedClient is a client that does not read before release is closed.
type blockedClient struct {
	entered chan struct{} // closed by the first write
	once    sync.Once
	release chan struct{}
	text    bytes.Buffer
}

func (c *blockedClient) Header() http.Header { return http.Header{} }
func (c *blockedClient) WriteHeader(int)     {}
func (c *blockedClient) Flush()              {}

func (c *blockedClient) Write(text []byte) (int, error) {
	c.once.Do(func() { close(c.entered) })
	<-c.release
	return c.text.Write(text)
}

// heard is what a client has read of a stream.
type heard struct {
	lines, last int  // of the log
	states      int  // events
	ended       bool // the stream had an end
	err         error
}

// hear reads a stream until it ends.
func hear(r *bufio.Reader) (h heard) {
	name, id := "", 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				h.err = err
			}
			return h
		}
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = rest
		}
		if rest, ok := strings.CutPrefix(line, "id: "); ok {
			id, _ = strconv.Atoi(rest) // 0 is not behind the last line
		}
		if !strings.HasPrefix(line, "data: ") {
			continue
		}
		switch name {
		case "log":
			if id <= h.last {
				h.err = errors.Join(h.err, fmt.Errorf("line %d of the log comes behind line %d", id, h.last))
			}
			h.lines, h.last = h.lines+1, id
		case "state":
			h.states++
		case "end":
			h.ended = true
		}
	}
}

// An hour of events comes as fast as they are taken. One client reads, one does not read until all is over, and one comes in the middle.
func TestAnHourOfEventsNeedsNoMoreMemoryThanHalfOfIt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	c := newLongCampaign()
	live := NewLive("./...", "", "", c.snapshot)
	s := newSite(t, func(o *Options) { o.Live = live })
	hears := func(from string) <-chan heard {
		r, closer := s.follow(t, from)
		got := make(chan heard, 1)
		go func() {
			defer closer.Close()
			got <- hear(r)
		}()
		return got
	}
	reader := hears("")
	blocked := &blockedClient{entered: make(chan struct{}), release: make(chan struct{})}
	left := make(chan struct{})
	go func() {
		defer close(left)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/campaigns/live/events", nil)
		r.SetPathValue("id", liveID)
		s.events(blocked, r)
	}()
	<-blocked.entered

	var late <-chan heard
	half, whole := int64(math.MaxInt64), int64(math.MaxInt64) // least heaps at the end of half an hour, and of all of it
	for second := range hour {
		if second == hour/2 {
			late = hears("")
		}
		c.play(second, live)
		switch {
		case second < hour/2 && second >= hour/2-moments:
			half = min(half, testkit.Heap())
		case second >= hour-moments:
			whole = min(whole, testkit.Heap())
		}
		if second%60 == 0 { // a page that is opened
			if d := s.object(t, "/api/campaigns/live"); len(d["targets"].([]any)) != manyTargets || len(d["log"].([]any)) > maxLog {
				t.Fatalf("a page has %d targets and %d lines of the log", len(d["targets"].([]any)), len(d["log"].([]any)))
			}
		}
	}
	if grown := whole - half; grown > maxGrowth {
		t.Errorf("the second half of an hour needs %d bytes more, want at most %d", grown, maxGrowth)
	}
	live.Event(event.Stamped{At: time.Now(), Event: event.End{}})
	close(blocked.release)
	<-left
	const all = hour*(notices+1) + 1
	for name, got := range map[string]heard{"reads": <-reader, "comes late": <-late, "does not read": hear(bufio.NewReader(&blocked.text))} {
		if got.err != nil || !got.ended || got.states == 0 || got.last != all {
			t.Errorf("the client that %s has %+v, want the end and all lines up to %d", name, got, all)
		}
		if name == "does not read" && got.lines > maxLog+1 {
			t.Errorf("the client that does not read gets %d lines afterwards, want the newest %d", got.lines, maxLog)
		}
	}
}
