// Package urlquery opens for a query with a parameter that the program asks for, with the right value.
//
// Technique: map-keys. The target only looks the name of the parameter up in the map that net/url makes of the query.
package urlquery

import (
	"net/url"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var name, value = derived.Word("parameter", 8), derived.Word("value", 10)

// Open reports whether s is solved.
func Open(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Query().Get(name) == value
}
