// Package ini opens when a section and a key that the program asks for are in the file.
//
// Technique: map-keys. Here the map holds words of the input, and the word that is wanted is what it is asked for.
package ini

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var section, key = derived.Word("section", 8), derived.Word("key", 7)

// Open reports whether s is solved.
func Open(s string) bool {
	_, ok := parse(s)[section][key]
	return ok
}

func parse(s string) map[string]map[string]string {
	file, name := map[string]map[string]string{}, ""
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			name = line[1 : len(line)-1]
			file[name] = map[string]string{}
		} else if k, v, ok := strings.Cut(line, "="); ok && file[name] != nil {
			file[name][strings.TrimSpace(k)] = v
		}
	}
	return file
}
