package web

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestConnectionsWithoutTheTokenAreBounded opens more connections than the server has, on which nothing is sent, or a request without the
// cookie that leaves the connection open.
func TestConnectionsWithoutTheTokenAreBounded(t *testing.T) {
	for _, tt := range []struct{ name, request string }{
		{"nothing is sent", ""},
		{"a request has no cookie", "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"the header of a request does not end", "GET / HTTP/1.1\r\nHost: HOST\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, nil)
			host := strings.TrimPrefix(s.base, "http://")
			var all []net.Conn
			defer func() {
				for _, c := range all {
					c.Close()
				}
			}()
			for range 2 * maxConnections {
				c, err := net.Dial("tcp", host)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, c)
				if _, err := io.WriteString(c, strings.ReplaceAll(tt.request, "HOST", host)); err != nil {
					t.Fatal(err)
				}
			}
			answer, err := s.client.Get(s.base + "/api/info")
			if err != nil {
				t.Fatalf("who has the cookie gets no answer: %v", err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("who has the cookie gets the answer %d", answer.StatusCode)
			}
			if err := all[0].SetReadDeadline(time.Now().Add(2 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, all[0]); isTimeout(err) {
				t.Error("the oldest connection stays open")
			}
			s.open.mu.Lock()
			defer s.open.mu.Unlock()
			if n := len(s.open.open); n > maxConnections {
				t.Errorf("the server has %d connections, want %d at most", n, maxConnections)
			}
		})
	}
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error)
	return ok && e.Timeout()
}

// pipeEnd is a connection that says whether it is closed.
type pipeEnd struct {
	net.Conn
	closed bool
}

func (p *pipeEnd) Close() error {
	p.closed = true
	return nil
}

func TestWhichConnectionIsClosed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		trusted func(i int) bool
		idle    func(i int) bool
		closed  int // number of the connection; that of the new one is maxConnections
	}{
		{"the oldest one that is not trusted", func(i int) bool { return i != 5 && i != 9 }, func(i int) bool { return i == 2 }, 5},
		{"else the oldest one that is idle", func(int) bool { return true }, func(i int) bool { return i == 7 || i == 8 }, 7},
		{"else the new one", func(int) bool { return true }, func(int) bool { return false }, maxConnections},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c connections
			var all []*pipeEnd
			for i := range maxConnections + 1 {
				p := &pipeEnd{}
				all = append(all, p)
				c.add(p).trusted = tt.trusted(i)
				c.setIdle(p, tt.idle(i))
			}
			for i, p := range all {
				if p.closed != (i == tt.closed) {
					t.Errorf("connection %d is closed: %v", i, p.closed)
				}
			}
			if len(c.open) != maxConnections {
				t.Errorf("%d connections are left", len(c.open))
			}
		})
	}
}
