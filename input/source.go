package input

import "embed"

// Source holds the Go files of this package: it is injected into test binaries together with the probe. This file
// itself is left out there, as are tests.
//
//go:embed *.go
var Source embed.FS
