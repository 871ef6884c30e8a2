// Package structtag opens for a field whose name is in a tag only, two objects deep.
//
// Technique: dictionary, map-keys. The names are words of tags, and keys of the maps in which encoding/json looks them
// up.
package structtag

import (
	"encoding/json"
)

type envelope struct {
	Inner *struct {
		Token json.Number `json:"x-escalation-token"`
	} `json:"grant-inner"`
}

// Open reports whether b is solved.
func Open(b []byte) bool {
	var e envelope
	if json.Unmarshal(b, &e) != nil || e.Inner == nil {
		return false
	}
	return e.Inner.Token != ""
}
