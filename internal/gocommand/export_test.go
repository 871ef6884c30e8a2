package gocommand

// The table of flags, for tests that find toolchains.
var TestFlags, Forwarded = testFlags, forwarded

// Kinds of flags.
const (
	Boolean = boolean
	Valued  = valued
)
