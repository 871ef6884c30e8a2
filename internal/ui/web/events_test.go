package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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
	fmt.Fprintf(conn, "GET /api/campaigns/live/events HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\n\r\n", u.Host, cookieName(u.Host), s.cookie)
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
	for i := range 3000 {
		l.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: fmt.Sprint(i, hostile)}})
	}
	if lines, _, _ := l.logSince(0); len(lines) != maxLog || len(lines[0].Text) > maxLine+10 {
		t.Errorf("%d lines are kept", len(lines))
	}
}

func TestTheServerStaysWhileAPageIsOpen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		asked time.Duration // before the end, and at most every five seconds for some time behind it; -1: never
		until time.Duration // the last request, behind the end
		ends  time.Duration // of the context, behind the end
		want  time.Duration
	}{
		{"no page was opened", -1, 0, time.Hour, 0},
		{"a page was closed long ago", 2 * time.Minute, 0, time.Hour, 0},
		{"a page was closed before the end", 20 * time.Second, 0, time.Hour, 40 * time.Second},
		{"a page is closed behind the end", 0, 5 * time.Minute, time.Hour, 6 * time.Minute},
		{"a page stays open until ^C", 0, 2 * time.Hour, time.Hour, time.Hour},
		{"^C has ended the campaign", 0, time.Minute, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(Options{})
				api := s.noting(http.NotFoundHandler())
				ask := func(path string) {
					api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
				}
				if tt.asked >= 0 {
					ask("/api/info")
					time.Sleep(tt.asked)
				}
				ask("/metrics")
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), tt.ends)
				defer cancel()
				var page sync.WaitGroup
				defer page.Wait()
				page.Go(func() {
					for time.Since(begin) < min(tt.until, tt.ends) {
						time.Sleep(5 * time.Second)
						ask("/api/info")
					}
				})
				said := false
				s.Linger(ctx, func() { said = true })
				if got := time.Since(begin); got != tt.want || said != (tt.want > 0) {
					t.Errorf("it stays for %v, want %v; it says so: %v", got, tt.want, said)
				}
			})
		})
	}
}
