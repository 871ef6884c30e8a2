package proof

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// Key distinguishes the failures of one run of a target. formats are the messages that the code at the place of the failure makes; without
// them the key differs from that of a record, which is made later, with the sources.
func Key(f *finding.Finding, formats []finding.Format) string {
	if f.Kind == finding.Hang && f.Place == "" { // without a stack it may be anywhere
		return string(input.Marshal(f.Input))
	}
	return finding.Key(f.Kind, f.Target, f.Calls(), finding.Neutral(f.Kind, f.Message, f.Input, formats))
}

// Same reports whether got is the failure that want is, so that the input of the one may take the place of the other's: one
// of the same kind at the same place, with the same words. Of a hang and of too much memory the kind is all that counts:
// where the process was interrupted is chance. A failure before which something
// was refused is another one. A call of t.Error may be one among others.
func Same(want, got *finding.Finding) bool {
	switch {
	case got.Kind != want.Kind, got.Refused != want.Refused:
		return false
	case want.Kind == finding.Hang || want.Kind == finding.Memory:
		return true
	}
	like := func(message string) bool { return sameWords(want.Message, message, want.Input, got.Input) }
	if want.Kind == finding.Failure {
		return want.Place == "" && got.Place == "" || slices.ContainsFunc(finding.Logged(want.Place, got.Output), like)
	}
	frames := func(f *finding.Finding) string {
		return finding.Key(f.Kind, want.Target, f.Calls(), "")
	}
	return frames(want) == frames(got) && like(got.Message)
}

// SameKind reports whether got is of the kind of want. Of a race the detector reports one pair of accesses of several, so more would be chance.
func SameKind(want, got *finding.Finding) bool { return got.Kind == want.Kind }

// EndedAlike reports whether a process of plain go test ended as the failure says that has ended a fuzzing process, by the last lines that it
// printed and how it ended. Where several goroutines print how they end, some of it may be lost: then the words are all that counts.
func EndedAlike(want *finding.Finding, output string, exit error) bool {
	if want.Kind == finding.Exit {
		first, _, _ := strings.Cut(want.Output, "\n")
		return strings.HasSuffix(first, ": "+exit.Error())
	}
	sig, message := finding.OfProcess(output, want.Kind)
	return sig.Kind == want.Kind && (sig.Place == "" || want.Place == "" || sig.Place == want.Place) && sameWords(want.Message, message, want.Input)
}

// Redescribe gives f the message and the output of got, which is the same failure, by [Same], of another input. The place of f stays,
// because it identifies the finding, except for a hang and for too much memory, whose place is chance.
func Redescribe(f, got *finding.Finding) {
	f.Message = shared(f, got)
	f.SetOutput(got.Output)
	if f.Kind == finding.Hang || f.Kind == finding.Memory {
		f.Place = got.Place
	}
}

// shared returns what got says of the failure that it has in common with want. Where several calls of t.Error fail, the message
// of got may be that of another one.
func shared(want, got *finding.Finding) string {
	like := func(message string) bool { return sameWords(want.Message, message, want.Input, got.Input) }
	if want.Kind != finding.Failure || got.Place == want.Place && like(got.Message) {
		return got.Message
	}
	texts := finding.Logged(want.Place, got.Output)
	if i := slices.IndexFunc(texts, like); i >= 0 {
		return texts[i]
	}
	return got.Message
}

// sameWords reports whether two messages have the same words. Those that stand in one of the inputs do not count: a target
// that prints its input without quotes would have another failure for each.
func sameWords(a, b string, inputs ...input.Args) bool {
	if finding.Words(a) == finding.Words(b) {
		return true
	}
	own := func(message string) string {
		separator := func(r rune) bool { return unicode.IsSpace(r) || r == '=' || r == ':' }
		words := slices.DeleteFunc(strings.FieldsFunc(message, separator), func(word string) bool {
			word = strings.Trim(word, ".,;()[]{}<>&")
			return word == "" || slices.ContainsFunc(inputs, func(in input.Args) bool { return contains(in, word) })
		})
		return strings.Join(words, " ")
	}
	// A word may be one of an input as it stands, or without what differs.
	first := func(message string) string { line, _, _ := strings.Cut(message, "\n"); return line }
	return own(finding.Words(a)) == own(finding.Words(b)) || finding.Words(own(first(a))) == finding.Words(own(first(b)))
}

// contains reports whether a buffer of the input has the text in it, in small or capital letters.
func contains(a input.Args, text string) bool {
	lower := bytes.ToLower([]byte(text))
	return slices.ContainsFunc(a, func(v input.Value) bool { return v.Kind.IsBuffer() && bytes.Contains(bytes.ToLower(v.Data), lower) })
}
