// The examples are a module of their own: what gnaw finds in them is written to their testdata folders and must not
// make the tests of gnaw fail.
module github.com/gnaw-fuzz/gnaw/examples

go 1.24.0
