package technique

// Maker says which technique has made the input of an entry. The zero value says that this is not known: the counters showed something new
// only after other inputs were executed, and these were executed again.
type Maker uint8

// The makers.
const (
	ByMutation       Maker = iota + 1 // operators
	ByWords                           // operators, and words of a dictionary
	BySplice                          // operators, of which one took parts from another entry
	BySolving                         // one suggestion of a comparison
	BySolvedMutation                  // a suggestion, and operators after it
	ByChasing                         // suggestions behind a suggestion, or steps toward a wanted value
	ByVariants                        // changes that show which bytes reach a comparison
	ByChecksums                       // operators or a suggestion, with the checksums repaired
	lastMaker        = ByChecksums
)

// String returns the name of the technique in events, which is that in [Names] where one switches it off. It is empty if the technique is
// not known.
func (m Maker) String() string {
	if m > lastMaker {
		return ""
	}
	return [...]string{"", "mutation", "dictionary", "splice", "solve", "solve+mutation", "value-profile", "colorize", "checksums"}[m]
}
