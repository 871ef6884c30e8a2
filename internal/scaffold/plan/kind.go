package plan

// Kind is what a target checks.
type Kind string

// The kinds of targets.
const (
	Laws       Kind = "laws"       // Compare is an order, and Less and Equal agree with it
	Pair       Kind = "pair"       // decoding undoes encoding
	Twin       Kind = "twin"       // the functions for strings and for bytes agree
	Stream     Kind = "stream"     // the reader returns what was written to the writer
	Marshal    Kind = "marshal"    // a value that was read can be written and read again
	Print      Kind = "print"      // a value that was parsed can be printed and parsed again
	Idempotent Kind = "idempotent" // a second call changes nothing
	Parse      Kind = "parse"      // the function does not panic
	Read       Kind = "read"       // reading to the end does not panic
	Methods    Kind = "methods"    // no sequence of methods panics
)

// IsWeakest reports whether targets of kind k only check that nothing panics.
func (k Kind) IsWeakest() bool { return k == Parse || k == Read || k == Methods }
