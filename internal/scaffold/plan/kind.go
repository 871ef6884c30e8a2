package plan

// Kind is what a target checks.
type Kind string

// The kinds, the most specific first: a function gets the first that fits.
const (
	Laws       Kind = "laws"       // Compare, Less and Equal are an order
	Pair       Kind = "pair"       // what is encoded is decoded to what it was
	Twin       Kind = "twin"       // the forms for strings and for bytes agree
	Stream     Kind = "stream"     // what a writer writes, the reader reads
	Marshal    Kind = "marshal"    // what is read can be written and read again
	Print      Kind = "print"      // what is parsed can be printed and parsed again
	Idempotent Kind = "idempotent" // a second time changes nothing
	Parse      Kind = "parse"      // no panic
	Read       Kind = "read"       // reading to the end does not panic
	Methods    Kind = "methods"    // no sequence of methods panics
)

// IsWeakest reports whether targets of a kind ask only that nothing panics.
func (k Kind) IsWeakest() bool { return k == Parse || k == Read || k == Methods }
