// Package build turns the user's packages into test binaries that gnaw can drive.
//
// It finds the fuzz tests of packages ([List]), and builds the test binaries of a process ([Builder]): instrumented, with counters for
// blocks, or as go test does. It links a binary again only if something that goes into it has changed. It makes the command line that
// replaces `go test` ([TestCommand]). Nothing of the user's files is changed.
//
// What the go command is and how it is asked is in package gocommand, what is changed in the standard library in package overlay, and where
// the files are in package cache. The package knows nothing of corpora, workers or findings. Its functions may be called at the same time,
// from several processes too.
package build
