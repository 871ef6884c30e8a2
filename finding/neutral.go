package finding

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Format is a message as the source code writes it: constant parts, at least one, and between each two of them a variable one.
type Format []string

// ofInput stands in a message for what came from the input.
const ofInput = `""`

const (
	// shortWord is the length in bytes below which a word is one of the input only where a value is likely to stand: many messages and
	// inputs have a word such as "a" in common.
	shortWord = 3
	// valueBehind is what values stand behind in a message, and valueBefore what they stand before.
	valueBehind = ":=([{<"
	valueBefore = ",;)]}>"
)

// Neutral returns the first line of a message without what it has from the input, so that [Words] are the same for all inputs that show a bug
// whose message prints them as they are. The constant parts of a message stay if one of the formats fits it. Without one, a word
// of the message is taken for one of the input if it is a whole argument, or a word of one. The messages of the runtime and of gnaw stay as they
// are.
func Neutral(kind Kind, message string, in input.Args, formats []Format) string {
	if kind != Failure && kind != Panic && kind != Fatal {
		return message
	}
	message, _, _ = strings.Cut(message, "\n")
	if strings.HasPrefix(message, "runtime") || strings.HasPrefix(message, fatalPrefix) {
		return message
	}
	for _, f := range formats {
		if text, ok := f.neutral(message, in); ok {
			return text
		}
	}
	return withoutWords(message, in)
}

// neutral returns a message without what its variable parts have from the input. ok is false if it is not of the format. Of a message with
// several lines only the first is known: then the rest of the format takes the place of the others.
func (f Format) neutral(message string, in input.Args) (text string, ok bool) {
	if len(f) == 1 { // all of it is constant, even if the input has the same words
		line, _, _ := strings.Cut(f[0], "\n")
		return message, message == line
	}
	for known := len(f); known > 0; known-- {
		parts, open := f[:known], known < len(f)
		var b strings.Builder
		b.WriteString("^(?:")
		for i, part := range parts {
			if i > 0 {
				b.WriteString("(.*?)")
			}
			b.WriteString(regexp.QuoteMeta(part))
		}
		if open {
			b.WriteString("(.*)")
		}
		pattern, err := regexp.Compile(b.String() + ")$")
		if err != nil {
			return "", false
		}
		values := pattern.FindStringSubmatch(message)
		if values == nil || open && !continues(values[known], in) {
			continue
		}
		for i, part := range f {
			switch {
			case i == 0:
			case i < len(values):
				text += withoutValue(values[i], in)
			default:
				text += ofInput
			}
			text += part
		}
		return text, true
	}
	return "", false
}

// continues reports whether a text is the end of a line of an argument that has further ones.
func continues(text string, in input.Args) bool {
	for _, v := range in {
		if v.Kind.IsBuffer() && bytes.Contains(v.Data, []byte(text+"\n")) {
			return true
		}
	}
	return false
}

// withoutValue returns a variable part of a message without what it has from the input.
func withoutValue(value string, in input.Args) string {
	trimmed := strings.TrimSpace(value)
	for _, v := range in {
		switch {
		case !v.Kind.IsBuffer():
			if trimmed != "" && (trimmed == fmt.Sprint(v.Bits&1 != 0) && v.Kind == input.Bool || trimmed == string(rune(v.Bits))) {
				return ofInput
			}
		case trimmed == "" && len(bytes.TrimSpace(v.Data)) == 0,
			trimmed != "" && bytes.Contains(v.Data, []byte(trimmed)),
			trimmed != "" && strings.EqualFold(trimmed, hex.EncodeToString(v.Data)):
			return ofInput
		}
	}
	return withoutWords(value, in)
}

// withoutWords returns a text without whole arguments and without words of arguments.
func withoutWords(text string, in input.Args) string {
	for _, v := range in {
		if !v.Kind.IsBuffer() {
			continue
		}
		line, _, _ := strings.Cut(string(v.Data), "\n")
		if line = strings.TrimSpace(line); line != "" {
			text = withoutText(text, line)
		}
	}
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(r rune) bool { return !ofWord(r) })
		if end == 0 {
			_, size := utf8.DecodeRuneInString(text)
			b.WriteString(text[:size])
			text = text[size:]
			continue
		}
		if end < 0 {
			end = len(text)
		}
		word := text[:end]
		if len(word) >= shortWord && strings.ContainsFunc(word, unicode.IsLetter) && hasWord(in, word) {
			word = ofInput
		}
		b.WriteString(word)
		text = text[end:]
	}
	return b.String()
}

func ofWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// hasWord reports whether an argument has a word, in small or capital letters.
func hasWord(in input.Args, word string) bool {
	for _, v := range in {
		if v.Kind.IsBuffer() && indexWord(strings.ToLower(string(v.Data)), strings.ToLower(word), false) >= 0 {
			return true
		}
	}
	return false
}

// withoutText returns a text without an argument, where that stands by itself.
func withoutText(text, argument string) string {
	var b strings.Builder
	for {
		i := indexWord(text, argument, len(argument) < shortWord)
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i] + ofInput)
		text = text[i+len(argument):]
	}
}

// indexWord returns where a word stands by itself in a text; -1: nowhere. A strict one stands only where values do.
func indexWord(text, word string, strict bool) int {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		alone := (i == 0 || !ofWord(before)) && (i+len(word) == len(text) || !ofWord(after))
		if alone && strict {
			head, rest := strings.TrimRight(text[:i], " "), text[i+len(word):]
			alone = rest == "" || strings.ContainsRune(valueBefore, after) || head != "" && strings.ContainsRune(valueBehind, rune(head[len(head)-1]))
		}
		if alone {
			return i
		}
		from = i + 1
	}
}
