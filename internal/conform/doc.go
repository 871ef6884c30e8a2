// Package conform holds gnaw against the specification of Go's native fuzzing that every Go distribution carries: the
// scripts test_fuzz*.txt that the Go team tests `go test -fuzz` with.
//
// There is nothing to import here; it is all in the test. The scripts are read from the toolchain's own GOROOT when the
// test runs and are never copied. They run with gnaw standing in for `go` in every `go test` line; all other lines
// (`go run`, `go clean`, …) go to the toolchain the script came with, because they inspect what the fuzzer left behind.
// With -conform.tool=go nothing stands in for anything: that run proves the bridge between the script dialects, since
// the stock toolchain has to pass its own scripts.
//
//	go test ./internal/conform                                             the quick scripts, current toolchain
//	go test ./internal/conform -conform.all -conform.go=1.26,1.25,1.24     everything (allow 20 minutes: -timeout=30m)
//	go test ./internal/conform -conform.all -conform.tool=go               the proof of the bridge
//
// Scripts set GOCACHE to a fresh directory each, which would have every one of them build the standard library anew, so
// that directory is filled with hard links to a warmed build cache before the first command that uses it. See warm_test.go.
package conform
