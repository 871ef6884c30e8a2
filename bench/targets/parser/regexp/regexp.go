// Package regexp compiles with regexp and matches with the result.
package regexp

import (
	"regexp"

	"bench.test/harness"
)

// maxBits: patterns of 256 bytes and more are not matched, which keeps matching fast.
const maxBits = 8

// Target compiles b.
func Target(b []byte) {
	if harness.Long(b, maxBits) {
		return
	}
	re, err := regexp.Compile(string(b))
	if err != nil {
		return
	}
	const text = "The quick brown fox, 42 ünits.\nab-ba"
	_ = re.FindStringSubmatchIndex(text)
	_ = re.MatchString("")
	re.Longest()
	_ = re.FindAllString(text, 4)
}
