package technique

// Maker is the technique that has made the input of an entry. The zero value means that it is not known: the worker read the counters only
// after several inputs, and executed these inputs again to find the one that shows something new.
type Maker uint8

// The makers.
const (
	ByMutation       Maker = iota + 1 // operators
	ByWords                           // operators, and words of a dictionary
	BySplice                          // operators, one of which took parts from another entry
	BySolving                         // one suggestion of a comparison
	BySolvedMutation                  // a suggestion, and operators after it
	ByChasing                         // suggestions behind a suggestion, or steps toward a wanted value
	ByVariants                        // changes that show which bytes reach a comparison
	ByChecksums                       // operators or a suggestion, with the checksums repaired
	lastMaker        = ByChecksums
)

// String returns the name of the technique in events. A technique that can be switched off has the name that [Names] has. The name is empty
// if the technique is not known.
func (m Maker) String() string {
	if m > lastMaker {
		return ""
	}
	return [...]string{"", "mutation", "dictionary", "splice", "solve", "solve+mutation", "value-profile", "colorize", "checksums"}[m]
}
