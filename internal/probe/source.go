// Package probe holds the source of everything that gnaw injects into a test binary.
//
// The packages below this folder run inside the user's process: they import the standard library, each other and
// package input only, they are never instrumented, they never panic on their own account, and the loop that executes
// inputs allocates nothing. [Source] is their text; package build rewrites their import paths and overlays them onto
// the standard library as internal/fuzz/gnaw/….
package probe

import "embed"

// Source holds the Go files of the probe packages, one folder per package, tests included.
//
//go:embed */*.go */*.s
var Source embed.FS
