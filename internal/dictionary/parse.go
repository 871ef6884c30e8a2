package dictionary

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// SyntaxError is a line of a dictionary file that cannot be read.
type SyntaxError struct {
	File   string // as it was given
	Line   int    // from 1
	Reason string // what is wrong and what to write instead
}

// Error names the place as compilers do.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %s; see docs/dictionary.md for the format", e.File, e.Line, e.Reason)
}

// Parse reads a dictionary in the format of AFL and libFuzzer: one word per line in quotes, with a name in front or
// without one, in which \xNN, \\ and \" have a meaning; blank lines and lines that begin with # are ignored.
//
//	# comment
//	"word"
//	name="\x89PNG"
//	name@2="said \"so\""
//
// The level behind @ has no effect. The words come in the order of the file. The error is a *[SyntaxError] for the first
// line that is wrong; name is what it calls the file.
func Parse(name string, data []byte) (words [][]byte, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		w, reason := parseLine(line)
		if reason != "" {
			return nil, &SyntaxError{name, n, reason}
		}
		words = append(words, w)
	}
	return words, nil
}

// parseLine reads a line that is neither blank nor a comment. reason says what is wrong, if anything is.
func parseLine(line []byte) (word []byte, reason string) {
	label, rest, quoted := bytes.Cut(line, []byte(`"`))
	if !quoted {
		return nil, `there is no word in quotes; write "word", name="word", or # in front of a comment`
	}
	if reason := checkLabel(string(label)); reason != "" {
		return nil, reason
	}
	word, rest, reason = unquote(rest)
	switch rest = bytes.TrimSpace(rest); {
	case reason != "":
		return nil, reason
	case len(rest) > 0 && rest[0] != '#':
		return nil, fmt.Sprintf(`%q follows the word; a quote within a word is written \", and each word has a line of its own`, rest)
	case len(word) == 0:
		return nil, "the word is empty"
	case len(word) > maxGiven:
		return nil, fmt.Sprintf("the word has %d bytes; there may be %d", len(word), maxGiven)
	}
	return word, ""
}

// checkLabel checks what stands in front of the word: nothing, name= or name@level=.
func checkLabel(label string) (reason string) {
	label = strings.TrimSpace(label)
	if label == "" {
		return ""
	}
	name, found := strings.CutSuffix(label, "=")
	if !found {
		return fmt.Sprintf("there is no = between the name %q and the word", label)
	}
	name, level, leveled := strings.Cut(strings.TrimSpace(name), "@")
	if name == "" {
		return "there is no name in front of the =; a name is not needed, and neither is the = then"
	}
	if leveled {
		if _, err := strconv.ParseUint(level, 10, 16); err != nil {
			return fmt.Sprintf("the level %q behind the @ is no number", level)
		}
	}
	return ""
}

// unquote reads a word up to its closing quote, and returns what follows that.
func unquote(s []byte) (word, rest []byte, reason string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return word, s[i+1:], ""
		case c == '\\' && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '"'):
			i++
			word = append(word, s[i])
		case c == '\\' && i+3 < len(s) && s[i+1] == 'x':
			v, err := strconv.ParseUint(string(s[i+2:i+4]), 16, 8)
			if err != nil {
				return nil, nil, fmt.Sprintf(`%q is no byte; write \x and two hexadecimal digits`, s[i:i+4])
			}
			word = append(word, byte(v))
			i += 3
		case c == '\\':
			return nil, nil, fmt.Sprintf(`%s has no meaning; there are \xNN, \\ and \"`, s[i:min(i+2, len(s))])
		case c < ' ' && c != '\t' || c == 0x7f:
			return nil, nil, fmt.Sprintf(`the control character is to be written \x%02x`, c)
		default:
			word = append(word, c)
		}
	}
	return nil, nil, "the closing quote is missing"
}

// AppendWord appends a word to a line of a dictionary file, in quotes and with the escapes that [Parse] reads.
func AppendWord(line, word []byte) []byte {
	line = append(line, '"')
	for _, c := range word {
		switch {
		case c == '"' || c == '\\':
			line = append(line, '\\', c)
		case c < ' ' || c >= 0x7f:
			line = fmt.Appendf(line, `\x%02x`, c)
		default:
			line = append(line, c)
		}
	}
	return append(line, '"')
}
