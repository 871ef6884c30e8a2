package compare

import (
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// at is a record of one place.
func at(site uint, values ...uint64) (all []Record) {
	for _, v := range values {
		all = append(all, Record{Site: site, Op: Int, Width: 8, A: v, B: 7})
	}
	return all
}

func TestWhatAPlaceComparesWhateverTheInputIs(t *testing.T) {
	word := func(s string) []Record { return []Record{{Site: 1, Op: Str, SA: []byte(s), SB: []byte("x")}} }
	for _, tt := range []struct {
		name string
		logs [][]Record // of inputs, one after the other
		want bool
	}{
		{"the same each time", [][]Record{at(1, 5), at(1, 5), at(1, 5), at(1, 5)}, true},
		{"the same, among others that differ", [][]Record{
			append(at(1, 5), at(2, 1)...), append(at(2, 9), at(1, 5)...), at(1, 5), append(at(1, 5), at(2, 3)...),
		}, true},
		{"several in one execution", [][]Record{at(1, 5, 6, 7), at(1, 5, 6, 7), at(1, 5, 6, 7), at(1, 5, 6, 7)}, true},
		{"not by all inputs", [][]Record{at(1, 5), {}, at(1, 5), at(2, 1), at(1, 5), at(1, 5)}, true},
		{"too few inputs", [][]Record{at(1, 5), at(1, 5), at(1, 5)}, false},
		{"another one in between", [][]Record{at(1, 5), at(1, 5), at(1, 6), at(1, 5), at(1, 5), at(1, 5)}, false},
		{"another one at last", [][]Record{at(1, 5), at(1, 5), at(1, 5), at(1, 5), at(1, 6)}, false},
		{"in another order", [][]Record{at(1, 5, 6), at(1, 5, 6), at(1, 5, 6), at(1, 6, 5)}, false},
		{"once more often", [][]Record{at(1, 5), at(1, 5), at(1, 5), at(1, 5, 5)}, false},
		{"a word", [][]Record{word("a"), word("a"), word("a"), word("a")}, true},
		{"words", [][]Record{word("a"), word("a"), word("a"), word("b")}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := new(Usual)
			for i, log := range tt.logs {
				u.Learn(uint64(i), log)
			}
			if got := u.Has(1); got != tt.want {
				t.Errorf("the place is usual: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestASecondLogOfAnInputAddsPlacesOnly(t *testing.T) {
	u := new(Usual)
	for i := range uint64(usualTimes) {
		u.Learn(i, at(1, 5))
		u.Learn(i, append(at(1, 6), at(2, 8)...))
	}
	if !u.Has(1) || !u.Has(2) {
		t.Errorf("the places are usual: %v and %v, want both", u.Has(1), u.Has(2))
	}
	u = new(Usual)
	for range usualTimes {
		u.Learn(3, at(1, 5))
	}
	if u.Has(1) {
		t.Error("one input has made a place usual")
	}
}

// Places whose number is made of texts come and go without end.
func TestPlacesThatComeAndGoDriveNoUsualOneOut(t *testing.T) {
	u := new(Usual)
	for i := range uint64(100) {
		var log []Record
		for site := range uint(1000) {
			log = append(log, at(1+site, 5)...)
			log = append(log, at(1<<20+uint(i)<<10+site, 5)...)
		}
		u.Learn(i, log)
	}
	usual := 0
	for site := range uint(1000) {
		if u.Has(1 + site) {
			usual++
		}
	}
	if usual < 990 {
		t.Errorf("%d places of 1000 are usual", usual)
	}
}

func TestUsualPlacesAreLeftOut(t *testing.T) {
	all := func() {
		Cmp8(1, 2, 1)
		ConstCmp8(1, 2, 2)
		StrCmp("\x00\x01", "\x02\x03", 3) // as integers too
		EqualFold("a", "b", 4)
		hook.Key("seen", "key", nil)
		hook.IntKey(1, 2, 8, nil)
		hook.Needle("text", "needle")
		hook.Compare("a", "b")
		hook.Number("1.5")
		hook.Bound(5, 3)
	}
	l, u := new(Log), new(Usual)
	first := slices.Clone(record(l, all))
	for i := range uint64(usualTimes) {
		u.Learn(i, first)
	}
	l.Omit(u)
	got := record(l, func() { all(); Cmp8(3, 4, 5); hook.Key("other", "key", nil) })
	if len(got) != 2 || got[0].Site != 5 || string(got[1].SA) != "other" {
		t.Errorf("recorded %+v, want what is new", got)
	}
	l.Omit(nil)
	if got := record(l, all); len(got) != len(first) {
		t.Errorf("%d records when nothing is left out, want %d", len(got), len(first))
	}
}

func TestALogIsFull(t *testing.T) {
	l := new(Log)
	for _, tt := range []struct {
		records int
		want    bool
	}{{0, false}, {maxRecords - 1, false}, {maxRecords, true}, {2 * maxRecords, true}} {
		record(l, func() {
			for i := range tt.records {
				Cmp8(1, 2, uint(i))
			}
		})
		if l.Full() != tt.want {
			t.Errorf("with %d comparisons, the log is full: %v", tt.records, l.Full())
		}
	}
	word := string(make([]byte, maxOperand))
	record(l, func() {
		for range arenaSize / maxOperand {
			StrCmp(word, word, 1)
		}
	})
	if !l.Full() {
		t.Error("the log has room for more texts")
	}
}
