// Package gocommand is the user's go command: which one it is, and how it is asked.
//
// It finds the toolchain that the user's module asks for ([FindToolchain]), runs it ([Toolchain.Output]), lists packages by patterns
// ([ListPackages], [Linked]), reads flags of go test and GOFLAGS by the rules of the go command ([ParseTestArgs]), reads and writes the files
// of -overlay ([ReadOverlay]), and makes private copies of go.mod ([Modfiles]).
//
// The package changes nothing of the user's files, and knows neither what gnaw builds nor what a fuzz test does. Its functions may be called
// at the same time.
package gocommand
