package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns text that does nothing to a terminal but to begin a new line and to move to a tab stop: all other control
// characters, those of C1 and those that turn the direction of writing among them, and bytes that are no UTF-8 are written as in
// a Go string. JSON stays JSON with the same meaning.
func Escape(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !hidden(r) || r == utf8.RuneError:
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

// hidden reports whether a character may do something to a terminal, or was no character.
func hidden(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError)
}

// visible returns text that does nothing to a terminal: targets print what their inputs contain.
func visible(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Zs, r): // such as those that do not break a line, which assertion libraries print
			b.WriteByte(' ')
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Clip shortens a line to about a number of bytes.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// Shorten shortens text to about a number of bytes, and appends how many more there are.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("%s and %d more bytes", Clip(text, limit), len(text)-limit)
}

// Line is text that a target printed as part of one line.
func Line(s string) string { return Clip(visible(s), maxTitle) }
