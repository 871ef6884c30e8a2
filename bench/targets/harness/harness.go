// Package harness calls the target of a parser or a puzzle in the same way under every fuzzer and in the replay.
package harness

// maxBits: inputs of 4096 bytes and more are not run. These targets need no more, and a longer one can nest so deeply that
// the stack overflows, which ends a campaign before its time.
const maxBits = 12

// Long reports whether b has 1<<bits bytes or more. It compares nothing with that length: a fuzzer that learns from
// comparisons would make all its inputs that long.
func Long(b []byte, bits int) bool { return len(b)>>bits != 0 }

// Run calls target and swallows its panics: it is coverage that is compared, and fuzzers differ in what they do after a
// panic.
func Run(target func([]byte), b []byte) {
	if Long(b, maxBits) {
		return
	}
	defer func() { _ = recover() }()
	target(b)
}
