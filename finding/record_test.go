package finding

import (
	"slices"
	"strings"
	"testing"
)

// recordWith is a record whose own input is of that target and that size.
func recordWith(target string, size int, more ...Sample) Record {
	return Record{Target: target, Input: strings.Repeat("x", size), Size: size, More: more, Times: 1}
}

func sampleWith(target string, size int) Sample { return recordWith(target, size).sample() }

func TestARecordKeepsTheSmallestInputs(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Record
		add  []Sample
		want []int // sizes
	}{
		{"smaller ones before larger ones", recordWith("FuzzA", 1), []Sample{sampleWith("FuzzA", 3), sampleWith("FuzzA", 2)}, []int{2, 3}},
		{"not more than two besides its own", recordWith("FuzzA", 5, sampleWith("FuzzA", 3), sampleWith("FuzzA", 9)), []Sample{sampleWith("FuzzA", 4)}, []int{3, 4}},
		{"not its own once more", recordWith("FuzzA", 1), []Sample{sampleWith("FuzzA", 1)}, nil},
		{"the same input of another target", recordWith("FuzzA", 1), []Sample{sampleWith("FuzzB", 1)}, []int{1}},
		{"none twice", recordWith("FuzzA", 1, sampleWith("FuzzA", 2)), []Sample{sampleWith("FuzzA", 2)}, []int{2}},
		{"nothing without an input", recordWith("FuzzA", 1), []Sample{{Target: "FuzzA"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sizes []int
			for _, s := range tt.r.AddSamples(tt.add...).More {
				sizes = append(sizes, s.Size)
			}
			if !slices.Equal(sizes, tt.want) {
				t.Errorf("the sizes of the other inputs are %v, want %v", sizes, tt.want)
			}
		})
	}
}

func TestAnOlderRecordIsMerged(t *testing.T) {
	old := recordWith("FuzzA", 3, sampleWith("FuzzA", 4))
	old.Path, old.Original, old.Minimize, old.Times = "testdata/fuzz/FuzzA/1", 90, 0.5, 2
	again := recordWith("FuzzA", 3)
	again.Path, again.Seed, again.Original = old.Path, "1", 3
	if m := again.Merge(old); m.Seed != "" || m.Original != 90 || m.Minimize != 0.5 || m.Times != 3 || len(m.More) != 1 {
		t.Errorf("the file that gnaw wrote has become a seed of the user's: %+v", m)
	}
	other := recordWith("FuzzA", 2)
	other.Path, other.Seed = "testdata/fuzz/FuzzA/2", "2"
	if m := other.Merge(old); m.Seed != "2" || len(m.More) != 2 || m.More[0].Size != 3 {
		t.Errorf("another input does not keep the old one beside it: %+v", m)
	}
}

func TestTheBytesThatMatterBelongToAnInput(t *testing.T) {
	old := recordWith("FuzzA", 3, sampleWith("FuzzA", 4))
	old.Matter = []Matter{{Bytes: [][2]int{{0, 1}}}}
	flaky := recordWith("FuzzA", 3)
	flaky.Flaky = true
	for _, tt := range []struct {
		name string
		r    Record
		want bool
	}{
		{"the same input keeps them", recordWith("FuzzA", 3).Merge(old), true},
		{"but not if it is flaky now", flaky.Merge(old), false},
		{"another input has none", recordWith("FuzzA", 2).Merge(old), false},
		{"nor has the same one of another target", recordWith("FuzzB", 3).Merge(old), false},
		{"nor a sample of the record", old.Of(old.More[0]), false},
	} {
		if got := tt.r.Matter != nil; got != tt.want {
			t.Errorf("%s: the bytes that matter are %v", tt.name, tt.r.Matter)
		}
	}
}

func TestWhatCountsAsABug(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Record
		want bool
	}{
		{"what failed in each replay", Record{Kind: Panic, Replays: 3, Repeats: 3}, true},
		{"not what failed in some", Record{Kind: Panic, Replays: 3, Repeats: 2, Flaky: true}, false},
		{"not what nobody could replay", Record{Kind: Panic}, false},
		{"not memory that nobody could measure again", Record{Kind: Memory}, false},
		{"a seed", Record{Kind: Panic, Seed: "seed#0", Replays: 3, Repeats: 3}, true},
		{"not a seed that nobody could replay", Record{Kind: Hang, Seed: "seed#0"}, false},
	} {
		if got := tt.r.Counts(); got != tt.want {
			t.Errorf("%s: Counts = %v, want %v", tt.name, got, tt.want)
		}
	}
}
