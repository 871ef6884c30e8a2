package coverage

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// blocksOf returns one block with one statement for each line of a source. A line has the name of the function, "+" if the block is covered,
// and the text of the block.
func blocksOf(source string) (list []Reach) {
	for i, l := range strings.Split(source, "\n") {
		function, text, _ := strings.Cut(l, " ")
		covered := strings.HasPrefix(text, "+ ")
		list = append(list, Reach{Around: covered, Block: Block{
			Package: "m/p", File: "m/p/p.go", Function: function, Start: Position{i + 1, len(l) - len(strings.TrimPrefix(text, "+ ")) + 1},
			End: Position{i + 1, len(l) + 1}, Statements: 1,
		}})
	}
	return list
}

// compareSources compares two sources of blocksOf.
func compareSources(before, after string) Comparison {
	texts := func(source string) Texts {
		return TextsOf(func(string, string) ([]byte, error) { return []byte(source), nil })
	}
	return Compare(blocksOf(before), blocksOf(after), texts(before), texts(after))
}

func TestBlocksAreComparedByFunctionAndText(t *testing.T) {
	for _, tt := range []struct{ name, before, after, want string }{
		{"nothing changes", "F + a\nF b", "F + a\nF b", "came 0, went 0, new 0/0, gone 0/0"},
		{"a block is reached", "F + a\nF b", "F + a\nF + b", "came 1, went 0, new 0/0, gone 0/0: F +2"},
		{"a block is no longer reached", "F + a\nF b", "F a\nF b", "came 0, went 1, new 0/0, gone 0/0: F -1"},
		{"lines move", "F + a\nG + b", "H c\nG b\nF + a", "came 0, went 1, new 0/1, gone 0/0: G -2"},
		{"white space changes", "F if  x", "F + if\tx", "came 1, went 0, new 0/0, gone 0/0: F +1"},
		{"the text changes", "F + a\nF + b", "F + a\nF c", "came 0, went 0, new 0/1, gone 1/1"},
		{"the same text in another function", "F + a", "G a", "came 0, went 0, new 0/1, gone 1/1"},
		{"a text that is there twice", "F + a\nF a", "F a\nF + a", "came 1, went 1, new 0/0, gone 0/0: F +2 -1"},
		{"a text that is there once more", "F + a\nF a", "F a\nF a\nF a", "came 0, went 0, new 0/3, gone 1/2"},
		{"functions in their order", "F a\nG b", "G + b\nF + a", "came 2, went 0, new 0/0, gone 0/0: G +1, F +2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := describe(compareSources(tt.before, tt.after)); got != tt.want {
				t.Errorf("the comparison is %q, want %q", got, tt.want)
			}
		})
	}
}

func describe(c Comparison) string {
	text := fmt.Sprintf("came %d, went %d, new %d/%d, gone %d/%d", c.Came, c.Went, c.New.Covered, c.New.Statements, c.Gone.Covered, c.Gone.Statements)
	var changes []string
	for _, f := range c.Changes {
		change := f.Function
		for _, b := range f.Came {
			change += fmt.Sprintf(" +%d", b.Start.Line)
		}
		for _, b := range f.Went {
			change += fmt.Sprintf(" -%d", b.Start.Line)
		}
		changes = append(changes, change)
	}
	if changes != nil {
		text += ": " + strings.Join(changes, ", ")
	}
	return text
}

func TestBlocksWithoutSourceAreNotCompared(t *testing.T) {
	unknown := TextsOf(func(string, string) ([]byte, error) { return nil, errors.New("no file") })
	got := describe(Compare(blocksOf("F + a"), blocksOf("F a"), unknown, unknown))
	if want := "came 0, went 0, new 0/1, gone 1/1"; got != want {
		t.Errorf("the comparison is %q, want %q", got, want)
	}
}

func TestTheTextOfABlockIsBetweenItsPositions(t *testing.T) {
	texts := TextsOf(func(string, string) ([]byte, error) { return []byte("one\ntwo\nthree"), nil })
	for _, tt := range []struct {
		from, to Position
		want     string
		ok       bool
	}{
		{Position{1, 2}, Position{1, 3}, "n", true},
		{Position{1, 3}, Position{3, 3}, "e\ntwo\nth", true},
		{Position{3, 1}, Position{3, 6}, "three", true},
		{Position{2, 1}, Position{1, 1}, "", false},
		{Position{0, 1}, Position{1, 1}, "", false},
		{Position{1, 0}, Position{1, 1}, "", false},
		{Position{3, 1}, Position{3, 7}, "", false},
		{Position{3, 1}, Position{4, 1}, "", false},
	} {
		got, ok := texts(Block{Start: tt.from, End: tt.to})
		if got != tt.want || ok != tt.ok {
			t.Errorf("from %v to %v it is %q, %v; want %q, %v", tt.from, tt.to, got, ok, tt.want, tt.ok)
		}
	}
}

func TestEntriesThatWereWrittenLaterDoNotCount(t *testing.T) {
	r, err := replayOf(t, &fakeProcess{seeds: []string{"1"}}, nil, "2")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for i := range r.Entries {
		if e := &r.Entries[i]; e.Seed != e.Came.IsZero() || e.Came.After(now) {
			t.Errorf("%s, a seed: %v, came at %v", e.Name, e.Seed, e.Came)
		}
	}
	for name, tt := range map[string]struct {
		before time.Time
		want   int
	}{"all": {time.Time{}, 4}, "until an hour ago": {now.Add(-time.Hour), 3}, "until in an hour": {now.Add(time.Hour), 4}} {
		if got := Total(MergeInputs([]*Replayed{r}, Inputs{Before: tt.before})).Covered; got != tt.want {
			t.Errorf("%s: %d statements are covered, want %d", name, got, tt.want)
		}
	}
}
