// Package probe contains the source code that gnaw injects into test binaries.
//
// The packages below this folder run inside the user's process. They import only the standard library, each other and package
// input. They are not instrumented and do not panic, and the loop that executes inputs does not allocate. [Source] is their text;
// package build rewrites their import paths and overlays them onto the standard library as internal/fuzz/gnaw/….
package probe

import "embed"

// Source holds the Go files of the probe packages, one folder per package, tests included.
//
//go:embed */*.go */*.s
var Source embed.FS
