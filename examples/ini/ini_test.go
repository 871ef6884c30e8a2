package ini

import (
	"reflect"
	"testing"
)

const sample = `# defaults
name = gnaw
empty = ""

[cache]
dir = "  /tmp "
`

func TestParse(t *testing.T) {
	want := File{
		{Keys: []Key{{"name", "gnaw"}, {"empty", ""}}},
		{Name: "cache", Keys: []Key{{"dir", "  /tmp "}}},
	}
	got, err := Parse(sample)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Parse(sample) = %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"[]", "[a", "[a]b", "= 1", "word"} {
		if got, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", bad, got)
		}
	}
}

func TestGetTakesTheLast(t *testing.T) {
	file, err := Parse("[a]\nk = 1\n[b]\nk = 2\n[a]\nk = 3\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := file.Get("a", "k"); got != "3" || !ok {
		t.Errorf(`Get("a", "k") = %q, %v, want "3", true`, got, ok)
	}
	if got, ok := file.Get("c", "k"); ok {
		t.Errorf(`Get("c", "k") = %q, want nothing`, got)
	}
}

// FuzzRoundTrip holds the writer against the reader: what was read is read again from what was written.
func FuzzRoundTrip(f *testing.F) {
	f.Add(sample)
	f.Add(`a = ""`)
	f.Add("[s]\nkey=value\n; comment\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(text)
		if err != nil {
			return
		}
		written := file.String()
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("Parse of what String wrote: %v\n%s", err, written)
		}
		if !reflect.DeepEqual(again, file) {
			t.Errorf("%q comes back as %q", file, again)
		}
	})
}
