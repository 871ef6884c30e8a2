package plan

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits a name in mixed caps into its words: ParseHTTPHeader is Parse, HTTP and Header.
func Words(name string) (words []string) {
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			words = append(words, string(runes[start:i]))
			start = i
		}
	}
	return words
}

// firstWord returns the first word of a name in upper case form.
func firstWord(name string) string {
	if w := Words(name); len(w) > 0 {
		return w[0]
	}
	return ""
}

// varName is the name of a variable of a type: its first letter, or its name if a target has that letter for something else.
func varName(typ string) string {
	first, _ := utf8.DecodeRuneInString(typ)
	if letter := string(unicode.ToLower(first)); !strings.Contains("stfe", letter) {
		return letter
	}
	words := Words(typ)
	words[0] = strings.ToLower(words[0])
	name := strings.Join(words, "")
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || len(name) == 1 || slices.Contains(locals, name) {
		return name + "Value"
	}
	return name
}

// locals are names that targets have for something else.
var locals = []string{"data", "text", "again", "got", "want", "err", "ok", "once", "twice", "encoded", "ops", "op", "buf", "bytes", "strings", "json", "io", "context", "files", "name", "parsed"}

// replaceWord replaces one word of a name in mixed caps.
func replaceWord(name, old, with string) (string, bool) {
	words := Words(name)
	i := slices.Index(words, old)
	if i < 0 {
		return "", false
	}
	words[i] = with
	return strings.Join(words, ""), true
}
