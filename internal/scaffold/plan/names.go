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

// firstWord returns the first word of a name in mixed caps; empty: the name is empty.
func firstWord(name string) string {
	if w := Words(name); len(w) > 0 {
		return w[0]
	}
	return ""
}

// varName returns the name of a variable of a type: the name of the receiver in its methods if targets can use it.
func (c *caller) varName(named *types.Named) string {
	for m := range named.Methods() {
		if name := m.Signature().Recv().Name(); isFree(name) && len(name) <= 3 {
			return name
		}
	}
	return varName(named.Obj().Name())
}

// varName returns the name of a variable of the type with that name: its first letter in lower case if that is free, or its name in lower
// case if that is free, or v.
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

// isFree reports whether a target can use a name for a variable of its own.
func isFree(name string) bool {
	return token.IsIdentifier(name) && name != "_" && types.Universe.Lookup(name) == nil && !token.IsExported(name) && !slices.Contains(locals, name)
}

// locals lists the names that the bodies of targets use.
var locals = []string{
	"f", "s", "t", "data", "text", "again", "got", "want", "err", "ok", "once", "twice", "encoded", "calls", "call", "buf", "bytes",
	"strings", "json", "io", "context", "files", "name", "parsed",
}

// replaceWord returns a name in mixed caps with the first word that is old replaced; ok is false if there is none.
func replaceWord(name, old, with string) (replaced string, ok bool) {
	words := Words(name)
	i := slices.Index(words, old)
	if i < 0 {
		return "", false
	}
	words[i] = with
	return strings.Join(words, ""), true
}
