package finding

import (
	"regexp"
	"strings"
)

// maxWords is how many bytes of a message count. What comes later is data more often than words.
const maxWords = 120

var (
	// A text in quotes, which may go on behind the first line.
	quotedText = regexp.MustCompile("\"(\\\\.|[^\"\\\\])*(\"|\\\\?$)|`[^`]*(`|$)")
	// A text in single quotes; an apostrophe stands behind a letter.
	singleQuoted = regexp.MustCompile(`(^|[^\pL\pN'])'(\\.|[^'\\])*'`)
	// Of what begins at one place, the first of these counts.
	numberText = regexp.MustCompile(strings.Join([]string{
		`\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b`,                      // UUIDs
		`\((?:` + realText + `)(?:[-+](?:` + realText + `))i\)`,                         // complex numbers
		`[-+]?\b(?:[0-9]+(?:\.[0-9]+)?(?:ns|µs|μs|us|ms|s|m|h))+\b`,                     // durations
		`[-+]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][-+]?[0-9]+)?`,                 // addresses
		`[-+]?[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+][0-9]+)`,                    // with a fraction or exponent
		`[-+]?\b(?:Inf|Infinity|NaN|nan)\b|[-+]inf\b`,                                   // that are none
		`\b(?:[0-9a-fA-F]{2})*?(?:[0-9][0-9a-fA-F]|[a-fA-F][0-9])(?:[0-9a-fA-F]{2})*\b`, // bytes in hexadecimal with a digit in them
		`\b[0-9a-fA-F]{8,}\b`, // or longer than any word of those letters
		`[-+]?[0-9]+(?:e[0-9]+)?`,
	}, "|"))
	listText  = regexp.MustCompile(`#([ ,]+#)+`)
	emptyList = regexp.MustCompile(`\[\]([\s,;:.)]|$)`) // of numbers, unlike that of a type
)

// realText is a part of a complex number.
const realText = `[-+]?(?:[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|Inf|NaN)`

// The runtime has several messages for one map that is written by two goroutines: which one is chance. What it says when
// it comes across the damage ends in "(concurrent map writes?)".
const (
	fatalPrefix = "fatal error: "
	mapWrites   = "concurrent map writes"
)

// Go 1.27 has a prefix before the message of panic(nil).
const (
	runtimePrefix = "runtime error: "
	nilPanic      = "panic called with nil argument"
)

// Words returns a message without what differs between two inputs that show the same bug: quoted text, numbers, durations, addresses,
// UUIDs and bytes in hexadecimal.
func Words(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	if strings.HasPrefix(message, runtimePrefix+nilPanic) {
		return nilPanic
	}
	if strings.HasPrefix(message, fatalPrefix) && strings.Contains(message, mapWrites) {
		return fatalPrefix + mapWrites
	}
	message = quotedText.ReplaceAllString(message, `""`)
	message = singleQuoted.ReplaceAllString(message, `$1""`)
	message = numberText.ReplaceAllString(message, "#")
	message = listText.ReplaceAllString(message, "#")
	message = emptyList.ReplaceAllString(message, "[#]$1")
	message = strings.Join(strings.Fields(message), " ")
	if len(message) > maxWords {
		message = strings.ToValidUTF8(message[:maxWords], "")
	}
	return message
}
