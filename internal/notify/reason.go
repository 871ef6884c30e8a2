package notify

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/report"
)

const (
	// maxReason limits the bytes of an answer in a warning.
	maxReason = 200
	// minSecret is the length of the parts of a URL that a warning must not have. Shorter ones are words such as "v1".
	minSecret = 4
)

// reasonOf returns on one line why a server does not accept a message, from the body of its answer; empty: the answer does not say, or it
// repeats a part of the URL, which is a secret.
func reasonOf(answer []byte, u *url.URL) string {
	text := strings.TrimSpace(string(answer))
	var fields map[string]json.RawMessage
	if json.Unmarshal(answer, &fields) == nil {
		text = sentenceIn(fields)
	} else if strings.HasPrefix(text, "<") || strings.HasPrefix(text, "[") {
		return "" // a page for browsers
	}
	text, _, _ = strings.Cut(text, "\n")
	if hasSecret(text, u) {
		return ""
	}
	return report.Line(report.Shorten(strings.TrimSpace(text), maxReason))
}

// sentenceIn returns the field of an answer that says what is wrong, by the names that webhooks use.
func sentenceIn(fields map[string]json.RawMessage) string {
	for _, name := range []string{"message", "error", "detail", "description", "msg"} {
		var text string
		if json.Unmarshal(fields[name], &text) == nil && text != "" {
			return text
		}
		var inner map[string]json.RawMessage
		if json.Unmarshal(fields[name], &inner) == nil {
			if text := sentenceIn(inner); text != "" {
				return text
			}
		}
	}
	return ""
}

// hasSecret reports whether a text has a part of the path, the query or the password of a URL.
func hasSecret(text string, u *url.URL) bool {
	parts := append(strings.Split(u.Path, "/"), strings.Split(u.EscapedPath(), "/")...)
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		parts = append(parts, u.User.Username(), password)
	}
	for _, p := range parts {
		if len(p) >= minSecret && strings.Contains(strings.ToLower(text), strings.ToLower(p)) {
			return true
		}
	}
	return false
}
