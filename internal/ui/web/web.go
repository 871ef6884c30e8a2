// Package web serves the dashboard: pages and an API about the campaigns of the history, and about a campaign that runs.
//
// [New] makes a server for a campaign that runs (Options.Live) or for all campaigns of this machine. [Server.Serve] serves browsers. guard.go
// checks the token, the cookie, and the names of the host and the origin of their requests. [Server.ServeSocket] serves another gnaw process
// on a Unix socket. The socket is read-only, and only the same user can open it.
//
// web.go has the server, guard.go its checks, app.go the pages, api.go the routes of the API, and the other files the answers of routes. All
// data come from events and snapshots of package event and from the history. The API is internal: its only client is the folder app.
package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Options says what a server shows.
type Options struct {
	Version, Go string         // of gnaw, and of the toolchain that built it
	Module      project.Module // of the working directory
	Dir         string         // working directory; the commands on the pages work there
	Live        *Live          // the campaign of this process; nil: it has none
	Control     Control        // nil: the dashboard is read-only
	Metrics     http.Handler   // answers GET /metrics; nil: there are no metrics
	Token       string         // of the address; empty: a new one for each server
	// Open opens the history. The server calls it when a request needs the history for the first time, or some time after
	// an error. The server closes the history.
	Open func(ctx context.Context) (*store.Store, error)
	// Describe returns the event that a campaign would publish for a record.
	Describe func(r finding.Record, short string, o report.Options, list known.List) event.Finding
	// MarkKnown adds an entry for a finding to the list of known findings of a module.
	MarkKnown func(m project.Module, r finding.Record, e known.Entry) error
	// Alive reports whether the process of a campaign lives; run is [store.Campaign.Run].
	Alive func(run string) bool
	// Socket returns the path of the socket of the process of a campaign. nil: the server asks no other process.
	Socket func(run string) string
}

// Control changes a campaign that runs. Its methods may be called from any goroutine.
type Control interface {
	Pause(on bool)
	Stop()
}

// Limits of the server.
const (
	headerTime = 5 * time.Second  // to read the header of a request
	readTime   = 15 * time.Second // to read a request
	writeTime  = 30 * time.Second // to write an answer, and one event of a stream
	idleTime   = 2 * time.Minute  // of a connection between two requests
	maxHeader  = 32 << 10         // bytes of the header of a request
	maxBody    = 64 << 10         // bytes of the body of a request
)

// Server is a server of the dashboard. Its methods may be called from any goroutine.
type Server struct {
	data
	token  string // a part of the address that gnaw prints
	cookie string // value of the cookie
	csrf   string // each request that changes something must have it

	end     context.CancelFunc
	streams chan struct{} // has an element for each stream of events

	open    connections
	asked   atomic.Int64 // time of the last request of a page for data, in nanoseconds since 1970; 0: there was none
	mu      sync.Mutex
	servers []*http.Server
	serving sync.WaitGroup
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	s := &Server{data: data{Options: o}, token: cmp.Or(o.Token, rand.Text()), csrf: rand.Text(), streams: make(chan struct{}, maxStreams)}
	s.cookie = cookieOf(s.token)
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

// cookieOf derives the value of the cookie from the token, so that a browser keeps access if gnaw starts again with the same token.
func cookieOf(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("cookie of the dashboard"))
	return hex.EncodeToString(mac.Sum(nil))
}

// CheckToken returns an error unless a text can be a token: it is long enough not to be guessed, and stands unchanged in an address and in a
// header. The error does not contain the text, which is a secret.
func CheckToken(text string) error {
	if len(text) < minToken || strings.ContainsFunc(text, func(c rune) bool { return !strings.ContainsRune(tokenChars, c) }) {
		return fmt.Errorf("want at least %d letters of ASCII, digits or characters of -._~, chosen at random", minToken)
	}
	return nil
}

// minToken is the least length of a token that the user chooses. 16 random digits of base 16 are 64 bits, which nobody guesses over a network.
const minToken = 16

const tokenChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// Serve serves browsers on a listener until Close. It returns at once.
func (s *Server) Serve(l net.Listener, a Address) {
	s.serve(l, s.guard(a, s.noting(s.pages(s.api(s.Control)))))
}

// ServeSocket serves another gnaw process on the listener of a Unix socket until Close. It returns at once.
func (s *Server) ServeSocket(l net.Listener) {
	h := headers(readOnly(s.api(nil)))
	s.serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.open.trust(r)
		h.ServeHTTP(w, r)
	}))
}

func (s *Server) serve(l net.Listener, h http.Handler) {
	server := &http.Server{
		Handler: deadlines(h), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ErrorLog:    silent, // the terminal does not show errors of clients
	}
	s.open.limit(server)
	s.mu.Lock()
	s.servers = append(s.servers, server)
	s.mu.Unlock()
	s.serving.Go(func() { _ = server.Serve(l) }) // it always returns an error
}

// stay is how long after its last request a page counts as open. An open page that is visible asks every five seconds.
const stay = time.Minute

// noting notes when a page asks for data. Requests of Prometheus do not count.
func (s *Server) noting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			s.asked.Store(time.Now().UnixNano())
		}
		h.ServeHTTP(w, r)
	})
}

// Linger waits while a page is open: until a minute after the last request of a page, or until ctx ends. If it has to wait, it calls say first.
func (s *Server) Linger(ctx context.Context, say func()) {
	left := func() time.Duration { return stay - time.Since(time.Unix(0, s.asked.Load())) }
	if left() <= 0 || ctx.Err() != nil {
		return
	}
	say()
	for d := left(); d > 0; d = left() {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return
		}
	}
}

// Close ends all connections and closes the history. It waits up to a second for requests that the server is answering.
func (s *Server) Close() error {
	s.end() // ends the streams
	s.mu.Lock()
	servers := s.servers
	s.servers = nil
	s.mu.Unlock()
	var errs []error
	for _, server := range servers {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		if err := server.Shutdown(ctx); err != nil {
			errs = append(errs, server.Close())
		}
		cancel()
	}
	s.serving.Wait()
	return errors.Join(append(errs, s.kept.close())...)
}

// deadlines limits the time to write each answer.
func deadlines(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // the recorder of a test has no deadline
		h.ServeHTTP(w, r)
	})
}
