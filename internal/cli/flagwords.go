package cli

import (
	"slices"
	"strings"
)

// also says which names of files may stand at the cursor too.
type also string

const (
	nothing also = "nothing"
	dirs    also = "dirs"
	files   also = "files"
)

// word is a word that may stand at the cursor. A word that ends in "=" goes on with a value.
type word struct{ text, about string }

// answer is what may stand at the cursor.
type answer struct {
	also  also
	words []word
}

// plainWords returns words without a description.
func plainWords(texts []string) (words []word) {
	for _, text := range texts {
		words = append(words, word{text: text})
	}
	return words
}

// words returns the flags as words. A flag that needs a value ends in "=". double says that the user has begun with two hyphens.
func (fs *flagSet) words(double bool) (words []word) {
	hyphens := "-"
	if double {
		hyphens = "--"
	}
	for _, t := range fs.texts {
		for _, name := range t.names {
			end := ""
			if fs.needsValue(name) {
				end = "="
			}
			words = append(words, word{hyphens + name + end, t.summary()})
		}
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.text, b.text) })
	return words
}

// needsValue reports whether a flag cannot stand without a value.
func (fs *flagSet) needsValue(name string) bool {
	f := fs.Lookup(name)
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// wantsValue reports whether an argument is a flag whose value is the next argument.
func (fs *flagSet) wantsValue(arg string) bool {
	name := strings.TrimLeft(arg, "-")
	return name != arg && fs.needsValue(name)
}

// answer returns what may stand as the value of a flag, behind head. typed is what the user has typed of it.
func (fs *flagSet) answer(head, name, typed string) answer {
	i := slices.IndexFunc(fs.texts, func(t flagText) bool { return slices.Contains(t.names, name) })
	if i < 0 {
		return answer{also: nothing}
	}
	arg := fs.texts[i].arg
	a := answer{also: nothing}
	switch {
	case len(fs.lists[name]) > 0:
		if comma := strings.LastIndex(typed, ","); comma >= 0 {
			head += typed[:comma+1]
		}
		a.words = plainWords(fs.lists[name])
	case strings.Contains(arg, "|"):
		a.words = plainWords(strings.Split(arg, "|"))
	case arg == "file":
		a.also = files
	case arg == "folder", arg == "pats", arg == "p": // packages
		a.also = dirs
	case slices.Contains([]string{"modfile", "overlay"}, name): // of the go command
		a.also = files
	}
	for i := range a.words {
		a.words[i].text = head + a.words[i].text
	}
	return a
}

// maxSummary is the length of a summary, in bytes: shells show one in a line with the flag.
const maxSummary = 60

// summary is the beginning of the text about flags, up to the end of a clause or a word.
func (t flagText) summary() string {
	text := t.text
	for _, end := range []string{"; ", " (", ": "} {
		text, _, _ = strings.Cut(text, end)
	}
	if len(text) <= maxSummary {
		return text
	}
	cut := strings.LastIndexByte(text[:maxSummary], ' ')
	return strings.TrimRight(text[:cut], ",") + " …"
}
