// The puzzles are a module of their own: what is found in them is written to their testdata folders and must not make the
// tests of gnaw fail.
module github.com/gnaw-fuzz/gnaw/puzzles/targets

go 1.24.0
