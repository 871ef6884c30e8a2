package web

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
)

// maxConnections is how many connections a server has at most. Each takes a descriptor, which the campaign of the process needs too. A browser
// opens six of them to one server.
const maxConnections = 128

// connections bounds the connections of a server. Whoever does not know the token cannot keep others out: a new connection takes the place of
// the oldest one on which no request has passed the guard. Its methods may be called from any goroutine.
type connections struct {
	mu   sync.Mutex
	open []*connection // the oldest first
}

// connection is an open connection.
type connection struct {
	net.Conn
	trusted bool // a request on it has passed the guard
	idle    bool // it is between two requests
}

// connectionKey is the key of the *connection in the context of a request.
type connectionKey struct{}

// limit bounds the connections of a server that does not serve yet.
func (c *connections) limit(s *http.Server) {
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, c.add(conn))
	}
	s.ConnState = func(conn net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			c.remove(conn)
		} else {
			c.setIdle(conn, state == http.StateIdle)
		}
	}
}

// trust notes that a request has passed the guard.
func (c *connections) trust(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := r.Context().Value(connectionKey{}).(*connection); ok { // the recorder of a test has none
		one.trusted = true
	}
}

// add adds a connection, and closes one if there are too many: the oldest one that is not trusted, else the oldest one that is idle, else the
// new one.
func (c *connections) add(conn net.Conn) *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= maxConnections {
		i := slices.IndexFunc(c.open, func(one *connection) bool { return !one.trusted })
		if i < 0 {
			i = slices.IndexFunc(c.open, func(one *connection) bool { return one.idle })
		}
		if i < 0 {
			_ = conn.Close()
			return &connection{Conn: conn}
		}
		_ = c.open[i].Close()
		c.open = slices.Delete(c.open, i, i+1)
	}
	one := &connection{Conn: conn}
	c.open = append(c.open, one)
	return one
}

func (c *connections) remove(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = slices.DeleteFunc(c.open, func(one *connection) bool { return one.Conn == conn })
}

func (c *connections) setIdle(conn net.Conn, idle bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.open {
		if one.Conn == conn {
			one.idle = idle
		}
	}
}
