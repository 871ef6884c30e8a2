package finding

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// says is a message, and the input that it comes of.
type says struct {
	message string
	in      input.Args
}

func ofTexts(texts ...string) (in input.Args) {
	for _, text := range texts {
		in = append(in, input.Value{Kind: input.String, Data: []byte(text)})
	}
	return in
}

// What inputs bring into a message does not tell bugs apart, and all else does.
func TestWordsOfTheInputDoNotCount(t *testing.T) {
	verb := []Format{{"is a bad one: ", ""}}
	two := []Format{{"no match", ""}, {"bad ", " and ", ""}}
	for _, tt := range []struct {
		name    string
		formats []Format
		all     []says
		want    string // words of each of them
	}{
		{"a value that the source prints", verb, []says{
			{"is a bad one: zz", ofTexts("zz")},
			{"is a bad one: {foo: bar}", ofTexts("{foo: bar}")},
			{"is a bad one: a", ofTexts("a")},
			{"is a bad one: bad one", ofTexts("bad one")},
			{"is a bad one: foo", ofTexts("foo\nbar")},
			{"is a bad one: ", ofTexts("")},
			{"is a bad one: b", ofTexts("a.b.c")},
			{"is a bad one: c3a4", ofTexts("\xc3\xa4")},
			{"is a bad one: true", input.Args{{Kind: input.Bool, Bits: 1}}},
			{"is a bad one: x", input.Args{{Kind: input.Int32, Bits: 'x'}}},
		}, `is a bad one: ""`},
		{"a message without a value", []Format{{"seeds are long"}}, []says{
			{"seeds are long", ofTexts("a long seed")},
			{"seeds are long", ofTexts("seeds")},
		}, `seeds are long`},
		{"two values", two, []says{
			{"bad one and two", ofTexts("one", "two")},
			{"bad one", ofTexts("one\nmore", "two")},
			{"bad three and four", ofTexts("three four")},
		}, `bad "" and ""`},
		{"a value that other code prints", nil, []says{
			{"cannot parse zz", ofTexts("zz")},
			{"cannot parse foo, bar", ofTexts("foo, bar")},
			{"cannot parse a", ofTexts("a")},
			{"cannot parse KEY1", ofTexts("key1, key2")},
		}, `cannot parse ""`},
		{"a value behind a sign", nil, []says{
			{"key=ab: no", ofTexts("ab")},
			{"key=name: no", ofTexts(`{"name": 1}`)},
		}, `key="": no`},
		{"a short argument that is a word of the message", nil, []says{
			{"not a number", ofTexts("a")},
			{"not a number", ofTexts("not")[:0]},
		}, `not a number`},
		{"a word of the message within one of the input", nil, []says{{"the number is not", ofTexts("numbers innumber")}}, "the number is not"},
		{"what the source prints besides", verb, []says{{"is a bad one: no such thing", ofTexts("x")}}, "is a bad one: no such thing"},
		{"a message of the runtime", nil, []says{{"runtime error: index out of range [1] with length 0", ofTexts("index", "range")}}, "runtime error: index out of range [#] with length #"},
	} {
		for _, one := range tt.all {
			if got := Words(Neutral(Failure, one.message, one.in, tt.formats)); got != tt.want {
				t.Errorf("%s: the words of %q are %q, want %q", tt.name, one.message, got, tt.want)
			}
		}
	}
}

func FuzzNeutral(f *testing.F) {
	f.Add("is a bad one: x", "x", "is a bad one: ", "")
	f.Add("\xff", "\xff", "", "\xff")
	f.Fuzz(func(t *testing.T, message, text, before, after string) {
		in := ofTexts(text)
		Neutral(Failure, message, in, nil)
		if got := Neutral(Failure, message, nil, nil); len(got) > len(message) {
			t.Errorf("without an input the message %q is %q", message, got)
		}
		Neutral(Failure, message, in, []Format{{before, after}, {after, text, before}})
	})
}
