package minimize

import "embed"

// Source holds the Go files of this package, which is injected into test binaries to trim new entries. This file itself
// is left out there, as are tests.
//
//go:embed *.go
var Source embed.FS
