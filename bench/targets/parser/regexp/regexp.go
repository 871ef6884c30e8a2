// Package regexp compiles with regexp and matches with what came out.
package regexp

import "regexp"

// maxPattern keeps matching fast.
const maxPattern = 256

// Target compiles b.
func Target(b []byte) {
	if len(b) > maxPattern {
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
