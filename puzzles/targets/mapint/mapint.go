// Package mapint opens for a message number that a map of handlers knows.
//
// Technique: map-keys. The numbers are keys of a map[uint32] and stand in no file.
package mapint

import (
	"encoding/binary"
	"strconv"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var handlers = func() map[uint32]string {
	m := map[uint32]string{}
	for i := range 12 {
		name := "message" + strconv.Itoa(i)
		m[uint32(derived.Uint64(name))] = name
	}
	return m
}()

// Open reports whether b is solved.
func Open(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	name, ok := handlers[binary.BigEndian.Uint32(b)]
	return ok && name != ""
}
