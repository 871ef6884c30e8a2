// Package harness calls the target of a parser or a puzzle in the same way under every fuzzer and in the replay.
package harness

// MaxBytes is the length of the longest input that is run: far more than these targets need, and it keeps the time of a
// call in bounds.
const MaxBytes = 1 << 16

// Run calls target and swallows its panics: it is coverage that is compared, and fuzzers differ in what they do after a
// panic.
func Run(target func([]byte), b []byte) {
	if len(b) > MaxBytes {
		return
	}
	defer func() { _ = recover() }()
	target(b)
}
