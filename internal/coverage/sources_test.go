package coverage

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
)

func TestTheSourcesOfLiveNameTheFirstInputOfEachBlock(t *testing.T) {
	var l Live
	if _, _, err := l.Execute(t.Context(), &fakeProcess{}, inputsOf("1", "12", "2"), func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for _, b := range l.Sources() {
		if b.Entry != "" {
			names[b.Entry] = max(names[b.Entry], b.Count)
			if corpus.Name([]byte(b.Input)) != b.Entry {
				t.Errorf("the input %q has the name %s", b.Input, b.Entry)
			}
		}
	}
	first, second := corpus.Name(input.Marshal(text("1"))), corpus.Name(input.Marshal(text("12")))
	if len(l.Sources()) != 4 || !reflect.DeepEqual(names, map[string]int{first: 2, second: 2}) {
		t.Errorf("the sources are %+v, want %s and %s with two inputs each", l.Sources(), first, second)
	}
}

func TestCodeAroundInputsIsNoInputOfABlock(t *testing.T) {
	var l Live
	for _, text := range []string{"1", "0", "00"} { // the first call reaches block 0 around its input only
		if _, _, err := l.Execute(t.Context(), &fakeProcess{}, inputsOf(text), func() bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.Sources()[0]; got.Count != 2 || got.Entry != corpus.Name(input.Marshal(text("0"))) {
		t.Errorf("block 0 has %d inputs, first %s; want 2", got.Count, got.Entry)
	}
}

func TestSourcesSurviveEncoding(t *testing.T) {
	list := Sources{{Block: Block{Package: "p", File: "p/p.go", Function: "F", Start: Position{1, 2}, End: Position{3, 4}, Statements: 5}, Count: 6, Entry: "e", Input: "i"}, {}}
	files := Files{"p/p.go": {1, 2, 3}}
	data, err := list.Encode(Files{"p/p.go": {1, 2, 3}, "q/q.go": {4}})
	if err != nil {
		t.Fatal(err)
	}
	if got, of, err := DecodeSources(data); err != nil || !reflect.DeepEqual(got, list) || !maps.Equal(of, files) {
		t.Errorf("they are decoded as %+v of %x (%v)", got, of, err)
	}
	for _, bad := range []string{"", "x", string(data[:len(data)/2])} {
		if got, _, err := DecodeSources([]byte(bad)); err == nil || got != nil {
			t.Errorf("%q is decoded as %+v", bad, got)
		}
	}
}

func TestALongInputIsNotKept(t *testing.T) {
	if got := kept(text(strings.Repeat("x", maxKept+1))); got != "" {
		t.Errorf("%d bytes are kept", len(got))
	}
}
