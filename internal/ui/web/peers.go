package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// maxSocket is the longest path of a Unix socket on all systems, in bytes.
const maxSocket = 103

// ListenSocket listens on a Unix socket, which only the same user can open. It makes the folder of the socket, which must not exist. The caller
// removes the folder with the socket.
func ListenSocket(path string) (net.Listener, error) {
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	name, done, err := socketName(path)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, err
	}
	if u, ok := l.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // when it closes, the short name may stand for another file
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// socketName returns a name of the socket that is short enough for the system. The name is valid until the caller calls done.
func socketName(path string) (name string, done func(), err error) {
	if len(path) <= maxSocket {
		return path, func() {}, nil
	}
	if runtime.GOOS != "linux" {
		return "", nil, fmt.Errorf("the path of the socket %s is longer than %d bytes", path, maxSocket)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), filepath.Base(path)), func() { _ = dir.Close() }, nil
}

// dial connects to the socket of another process.
func dial(ctx context.Context, path string) (net.Conn, error) {
	name, done, err := socketName(path)
	if err != nil {
		return nil, err
	}
	defer done()
	d := net.Dialer{Timeout: headerTime}
	return d.DialContext(ctx, "unix", name)
}

// ofPeer passes a request about a campaign of another process to that process, and all other requests to next.
func (s *Server) ofPeer(next http.HandlerFunc) http.HandlerFunc {
	if s.Socket == nil {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) {
		path := s.socketOf(r.Context(), r.PathValue("id"))
		if path == "" {
			next(w, r)
			return
		}
		transport := &http.Transport{
			DialContext:            func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, path) },
			ResponseHeaderTimeout:  headerTime,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: maxHeader,
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		proxy := httputil.ReverseProxy{
			Transport: transport, FlushInterval: -1, ErrorLog: silent,
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(&url.URL{Scheme: "http", Host: "gnaw"})
				p.Out.Header.Del("Cookie")
			},
			ModifyResponse: func(answer *http.Response) error {
				for name := range w.Header() { // the headers of this server replace those of the other one
					answer.Header.Del(name)
				}
				if answer.Header.Get("Content-Type") == "text/event-stream" {
					return http.NewResponseController(w).SetReadDeadline(time.Time{})
				}
				return nil
			},
			ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ error) { next(w, r) }, // the process has ended, or does not answer
		}
		proxy.ServeHTTP(patient{w}, r.WithContext(ctx))
	}
}

// patient gives each write of an answer its own time.
type patient struct{ http.ResponseWriter }

func (p patient) Write(data []byte) (int, error) {
	if err := http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(streamTime)); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(data)
}

// Unwrap is for [http.ResponseController].
func (p patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// socketOf returns the socket of the process that runs a campaign; empty: no other process runs it.
func (s *Server) socketOf(ctx context.Context, id string) string {
	if _, err := strconv.ParseInt(id, 10, 64); err != nil || s.isLive(id) {
		return ""
	}
	c, err := s.summary(ctx, id)
	if err != nil || !c.Ended.IsZero() || c.Run == "" || s.Alive == nil || !s.Alive(c.Run) {
		return ""
	}
	path := s.Socket(c.Run)
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
