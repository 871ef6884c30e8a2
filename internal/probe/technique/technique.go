// Package technique names the techniques of the engine. Some can be switched off one by one, so that the gain of each can be measured, and
// some make inputs.
package technique

import (
	"errors"
	"strconv"
	"strings"
)

// Set is a set of techniques that are off. The zero value leaves everything on.
type Set uint64

// The techniques. What each one does is written where it is implemented.
const (
	Solve        Set = 1 << iota // input-to-state replacement of what was compared: all of it
	Colorize                     // find which bytes reach a comparison by changing the others
	Encodings                    // all encodings but plain ones of the width that was compared
	Affine                       // fit a linear function to what was compared
	Lengths                      // resize what a length was compared with
	MapKeys                      // keys of maps that were looked up
	Substrings                   // operands of Index, Contains, Cut and the like
	Floats                       // special values of floating-point numbers
	Dictionary                   // words of the program's source and of -dict
	Tokens                       // words that the target compared something with
	Text                         // operators on words, brackets, lines and numbers in text
	JSON                         // operators on JSON values
	Runes                        // operators on UTF-8 classes
	LengthFields                 // operators that keep length fields right
	Checksums                    // fix checksums of the final mutant
	Splice                       // take parts from other entries
	Calibrate                    // ignore what is not shown each time
	MapOrder                     // the same map and select order in each execution
	ValueProfile                 // chase comparisons behind suggestions, and get closer where nothing else solves one
	Trim                         // make new entries smaller
	Inherit                      // while edges are new, trim only what has grown
	Reduce                       // replace entries by smaller ones with the same features
	Buckets                      // how often an edge was hit counts
	LengthLimit                  // begin with short mutants
	Postpone                     // solve entries without new edges only while no edge is new
	Renew                        // replace a process in which entries do not show any more what they did
	Setup                        // look behind what each execution compares whatever the input is
	end
)

var names = [...]string{
	"solve", "colorize", "encodings", "affine", "lengths", "map-keys", "substrings", "floats", "dictionary", "tokens",
	"text", "json", "runes", "length-fields", "checksums", "splice", "calibrate", "map-order",
	"value-profile", "trim", "inherit", "reduce", "buckets", "length-limit", "postpone", "renew", "setup",
}

// Names lists the names that Parse knows.
func Names() []string { return names[:] }

// Parse reads a comma-separated list of names. The error names the first one that it does not know.
func Parse(list string) (s Set, err error) {
	if list == "" {
		return 0, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		bit := Set(0)
		for i, n := range names {
			if n == name {
				bit = 1 << i
			}
		}
		if bit == 0 {
			return 0, errors.New("no technique is called " + strconv.Quote(name) + "; there are " + strings.Join(names[:], ", "))
		}
		s |= bit
	}
	return s, nil
}

// Has reports whether all of t are off.
func (s Set) Has(t Set) bool { return s&t == t }
