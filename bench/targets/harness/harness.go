// Package harness calls the target of a parser or a puzzle in the same way under every fuzzer and in the replay.
package harness

// MaxBytes is the length of the longest input that is run. These targets need no more, and a longer one can nest so deeply
// that the stack overflows, which ends a campaign before its time.
const MaxBytes = 4096

// Run calls target and swallows its panics: it is coverage that is compared, and fuzzers differ in what they do after a
// panic.
func Run(target func([]byte), b []byte) {
	if len(b) > MaxBytes {
		return
	}
	defer func() { _ = recover() }()
	target(b)
}
