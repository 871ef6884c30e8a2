// Package jsoncmd opens for one command with one level, decoded by encoding/json.
//
// Technique: dictionary, map-keys. The names of the fields are looked up in a map, so no comparison shows them; they
// are words of this file, and keys of that map. Blind mutation has to write two names at once that nothing leads to.
package jsoncmd

import (
	"encoding/json"
)

type request struct {
	Cmd   string
	Level int
}

// Open reports whether b is solved.
func Open(b []byte) bool {
	var r request
	if json.Unmarshal(b, &r) != nil {
		return false
	}
	return r.Cmd == "selfdestruct" && r.Level == 90210
}
