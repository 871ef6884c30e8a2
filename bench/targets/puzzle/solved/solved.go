// Package solved reports to the benchmark that a puzzle was solved. It works with every fuzzer.
package solved

import "os"

// Report creates the file $BENCH_SOLVED.
func Report() {
	if name := os.Getenv("BENCH_SOLVED"); name != "" {
		_ = os.WriteFile(name, nil, 0o666)
	}
}
