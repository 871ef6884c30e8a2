// Package url parses with net/url, and resolves and prints the result.
package url

import "net/url"

// Target parses b as a URL and as a query.
func Target(b []byte) {
	s := string(b)
	if q, err := url.ParseQuery(s); err == nil {
		_ = q.Encode()
	}
	u, err := url.Parse(s)
	if err != nil {
		return
	}
	_ = u.String() + u.Redacted() + u.Hostname() + u.Port() + u.RequestURI() + u.EscapedFragment()
	base := &url.URL{Scheme: "http", Host: "example.com", Path: "/a/b"}
	_ = base.ResolveReference(u).JoinPath("..", "x")
	_, _ = url.PathUnescape(s)
}
