// Package urlsubset has URLs with a scheme, a host, a path, a query and a fragment.
package urlsubset

import (
	"errors"
	"strings"
)

// URL is an absolute URL.
type URL struct {
	Scheme   string // in lower case
	Host     string // in lower case, with the port
	Path     string // decoded; empty, or with a slash at the beginning
	Query    string // encoded
	Fragment string // encoded
}

// Parse reads a URL.
func Parse(s string) (*URL, error) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || scheme == "" || !only(scheme, isLetter) {
		return nil, errors.New("no scheme")
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	host, path := rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	if host == "" || !only(host, isHost) {
		return nil, errors.New("no host")
	}
	if !only(query, isPrinted) || !only(fragment, isPrinted) || strings.Contains(fragment, "#") {
		return nil, errors.New("a character that must be escaped")
	}
	path, err := Unescape(path)
	if err != nil {
		return nil, err
	}
	return &URL{strings.ToLower(scheme), strings.ToLower(host), path, query, fragment}, nil
}

// String returns the form that Parse reads.
func (u *URL) String() string {
	s := u.Scheme + "://" + u.Host + strings.ReplaceAll(Escape(u.Path), "%2F", "/")
	if u.Query != "" {
		s += "?" + u.Query
	}
	if u.Fragment != "" {
		s += "#" + u.Fragment
	}
	return s
}

const digits = "0123456789ABCDEF"

// Escape writes all bytes but letters, digits and -._~ as escapes.
func Escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; isLetter(c) || isDigit(c) || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// Unescape undoes Escape.
func Unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", errors.New("an escape that ends early")
		}
		high, low := strings.IndexByte(digits, upper(s[i+1])), strings.IndexByte(digits, upper(s[i+2]))
		if high < 0 || low < 0 {
			return "", errors.New("an escape without digits")
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), nil
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

func isLetter(c byte) bool  { return 'A' <= upper(c) && upper(c) <= 'Z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isHost(c byte) bool    { return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == ':' }
func isPrinted(c byte) bool { return ' ' < c && c <= '~' }

// only reports whether all bytes of a text are of a kind.
func only(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}
