package web

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/netip"
	"net/url"
	"os"
	"strings"
)

// silent is the log of the HTTP server.
var silent = log.New(io.Discard, "", 0)

// Address is where a server for browsers listens.
type Address struct {
	Host string // as the user wrote it; empty: all addresses of the machine
	Port string // the number, never 0
}

// Listen listens on an address, "host:port". The port 0 stands for a free one. The error is one sentence.
func Listen(address string) (net.Listener, Address, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, Address{}, fmt.Errorf("%q is not an address such as 127.0.0.1:8080: %w", address, err)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, Address{}, fmt.Errorf("the dashboard cannot listen on %s: %w", address, err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, Address{}, fmt.Errorf("the dashboard cannot listen on %s: %w", address, err)
	}
	return l, Address{Host: host, Port: port}, nil
}

// Loopback reports whether only processes of this machine can reach the address.
func (a Address) Loopback() bool {
	ip, err := netip.ParseAddr(a.Host)
	return strings.EqualFold(a.Host, "localhost") || err == nil && ip.IsLoopback()
}

// URL returns the address of the dashboard with the token of the server.
func (s *Server) URL(a Address) string {
	host := a.Host
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, a.Port), Path: "/", RawQuery: url.Values{"token": {s.token}}.Encode()}
	return u.String()
}

// Warning returns a sentence about what other machines can see and do; empty: they cannot reach the server.
func (s *Server) Warning(a Address) string {
	if a.Loopback() {
		return ""
	}
	more := ""
	if s.Control != nil {
		more = ", and can pause and stop this campaign and mark findings as known"
	}
	return fmt.Sprintf("the dashboard listens on %s, which other machines can reach, without encryption: whoever has its address with the token, "+
		"or reads the traffic, sees the sources, the inputs, the output and the findings of all campaigns in the history of this machine%s",
		net.JoinHostPort(a.Host, a.Port), more)
}

// allows reports whether a host header names this server. Another web site can let a name of its own point to this machine (DNS rebinding),
// so the only names are localhost, the one in the address, and that of the machine. This is not possible with an IP address. The port, and
// an address of another machine, may be those of a tunnel or a container.
func (a Address) allows(host string) bool {
	name, _ := splitHost(host)
	if _, err := netip.ParseAddr(name); err == nil || strings.EqualFold(name, "localhost") || strings.EqualFold(name, a.Host) && name != "" {
		return true
	}
	machine, err := os.Hostname()
	return !a.Loopback() && err == nil && machine != "" && strings.EqualFold(name, machine)
}

// splitHost splits a host header. Without a port it is that of HTTP.
func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return strings.Trim(host, "[]"), "80"
	}
	return name, port
}
