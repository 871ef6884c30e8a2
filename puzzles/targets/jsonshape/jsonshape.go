// Package jsonshape opens for an array of objects in an object, with members of four different types.
//
// Technique: json. Each member is checked after the whole text has been decoded: a text that is broken anywhere is
// lost. Blind mutation breaks nearly all of them.
package jsonshape

import (
	"encoding/json"
)

// Open reports whether b is solved.
func Open(b []byte) bool {
	var v map[string]any
	if json.Unmarshal(b, &v) != nil {
		return false
	}
	for _, list := range v {
		items, ok := list.([]any)
		if ok && len(items) >= 3 && all(items) {
			return true
		}
	}
	return false
}

// all reports whether each item is an object of a string, a number, a boolean and a null.
func all(items []any) bool {
	for _, item := range items {
		object, _ := item.(map[string]any)
		kinds := 0
		for _, member := range object {
			switch member.(type) {
			case string:
				kinds |= 1
			case float64:
				kinds |= 2
			case bool:
				kinds |= 4
			case nil:
				kinds |= 8
			}
		}
		if kinds != 15 {
			return false
		}
	}
	return true
}
