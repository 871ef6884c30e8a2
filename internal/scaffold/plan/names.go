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

// varName is the name of a variable of a type: that of the receiver of its methods.
func (pl *planner) varName(named *types.Named) string {
	for m := range named.Methods() {
		if name := m.Signature().Recv().Name(); isFree(name) && len(name) <= 3 {
			return name
		}
	}
	return varName(named.Obj().Name())
}

// varName is the name of a variable of a type of that name: its first letter, or its name if a target has that letter for something
// else, or v.
func varName(typ string) string {
	first, _ := utf8.DecodeRuneInString(typ)
	if letter := string(unicode.ToLower(first)); isFree(letter) {
		return letter
	}
	words := Words(typ)
	words[0] = strings.ToLower(words[0])
	if name := strings.Join(words, ""); isFree(name) {
		return name
	}
	return "v"
}

// isFree reports whether a name means nothing else in a target.
func isFree(name string) bool {
	return token.IsIdentifier(name) && name != "_" && types.Universe.Lookup(name) == nil && !token.IsExported(name) && !slices.Contains(locals, name)
}

// locals are names that targets have for something else.
var locals = []string{
	"f", "s", "t", "data", "text", "again", "got", "want", "err", "ok", "once", "twice", "encoded", "calls", "call", "buf", "bytes",
	"strings", "json", "io", "context", "files", "name", "parsed",
}

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
