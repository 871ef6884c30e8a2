// Package conform tests gnaw against the specification of Go's native fuzzing: the scripts test_fuzz*.txt with which the Go
// team tests `go test -fuzz`, and which every Go distribution contains.
//
// The package has tests only. They read the scripts from the GOROOT of the toolchain and do not copy them. In each
// `go test` line of a script, gnaw replaces the go command. All other lines (`go run`, `go clean`, …) run the toolchain of the
// script, because they inspect the files that the fuzzer wrote. With -conform.tool=go nothing is replaced: that run tests the
// translation between the script dialects, because the toolchain has to pass its own scripts.
//
// A line with both -coverprofile and -fuzz runs the toolchain too: go test does not accept the two flags together, and gnaw test does.
//
//	go test ./internal/conform                                             the quick scripts, current toolchain
//	go test ./internal/conform -conform.all -conform.go=1.27.3,1.26,1.25   everything (allow 20 minutes: -timeout=30m)
//	go test ./internal/conform -conform.all -conform.tool=go               the test of the translation
//
// Each script sets GOCACHE to an empty folder, so each would build the standard library again. To avoid that, the tests fill the
// folder with hard links to a warm build cache before the first command that uses it. See warm_test.go.
package conform
