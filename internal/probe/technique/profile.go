package technique

// Profile is how inputs are mutated for a while. No habit is best for all targets, or for one target at all times.
type Profile uint8

// The profiles.
const (
	Usual       Profile = iota
	Deep                // many changes per mutant
	Parts               // parts of other inputs, on entries that are drawn evenly
	Words               // words, and what comparisons suggest
	NumProfiles int     = iota
)
