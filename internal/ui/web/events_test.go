package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestTheEventsOfACampaign(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	live.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: "first"}})
	r, closer := s.follow(t, "")
	defer closer.Close()
	if got := next(t, r, "log"); got["text"] != "first" || got["event"] != "warning" {
		t.Errorf("the first line is %v", got)
	}
	if got := next(t, r, "state"); at(t, got, "campaign", "state") != "running" || got["log"] != nil {
		t.Errorf("the state is %v", got)
	}
	live.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: hostile}})
	if got := next(t, r, "log"); got["event"] != "warning" || !strings.Contains(got["text"].(string), "<script>") {
		t.Errorf("the second line is %v", got)
	}
	live.Event(event.Stamped{At: time.Now(), Event: event.End{Findings: 3}})
	if got := next(t, r, "state"); at(t, got, "campaign", "state") != "ended" {
		t.Errorf("the last state is %v", got)
	}
	if got := next(t, r, "end"); got["findings"] != 3.0 {
		t.Errorf("the end is %v", got)
	}
	if rest, err := io.ReadAll(r); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("behind the end there is %q (%v)", rest, err)
	}
}

func TestAStreamContinuesBehindTheLastEvent(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	for i := range 3 {
		live.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: fmt.Sprint(i)}})
	}
	r, closer := s.follow(t, "2")
	defer closer.Close()
	if got := next(t, r, "log"); got["text"] != "2" {
		t.Errorf("the first line is %v, want the third", got)
	}
}

func TestACampaignThatDoesNotRunHasNoEvents(t *testing.T) {
	s := newSite(t, nil)
	if code, body := s.get(t, "/api/campaigns/1/events"); code != http.StatusNoContent || body != "" {
		t.Errorf("it answers %d %q", code, body)
	}
}

func TestTheNumberOfStreamsIsLimited(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	for range maxStreams {
		s.streams <- struct{}{}
	}
	if code, _ := s.get(t, "/api/campaigns/live/events"); code != http.StatusServiceUnavailable {
		t.Errorf("one more stream answers %d", code)
	}
}

// A client that does not read delays neither the campaign nor another client nor the end of the server.
func TestAClientThatDoesNotReadDelaysNobody(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	u, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(1); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /api/campaigns/live/events HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\n\r\n", u.Host, s.at.cookieName(), s.cookie)
	r, closer := s.follow(t, "")
	defer closer.Close()
	ended := make(chan bool)
	go func() { ended <- next(t, r, "end") != nil }()
	long := strings.Repeat("x", maxLine)
	for i := range 50_000 { // much more than the buffers of a connection hold
		live.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: fmt.Sprint(i, long)}})
	}
	live.Event(event.Stamped{At: time.Now(), Event: event.End{}})
	if !<-ended {
		t.Error("the other client gets no end")
	}
	if lines, _, _ := live.logSince(0); len(lines) != maxLog {
		t.Errorf("%d lines of the log are kept, want %d", len(lines), maxLog)
	}
}

func TestTheMemoryOfACampaignIsLimited(t *testing.T) {
	l := NewLive("", "", "", newCampaign().snapshot)
	for i := range 3 * maxFindings {
		r := bug("")
		r.ID = fmt.Sprintf("%016x", i%(2*maxFindings))
		l.Event(event.Stamped{At: time.Now(), Event: event.Finding{Record: r}})
	}
	if n := len(l.found()); n != maxFindings {
		t.Errorf("%d findings are kept, want %d", n, maxFindings)
	}
	if lines, _, _ := l.logSince(0); len(lines) != maxLog || len(lines[0].Text) > maxLine+10 {
		t.Errorf("%d lines are kept", len(lines))
	}
}
