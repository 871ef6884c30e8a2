package blocks

import (
	"fmt"
	"slices"
	"testing"
)

// section has a function that did not run, and two that did.
func section() []uint32 {
	return []uint32{0, 0, 0, 0, 0, 2, 7, 1, 5, 0, 3, 7, 4, 0, 1, 9, 0, 0}
}

func read(t *testing.T, record []uint32) (list []string) {
	t.Helper()
	if !Each(record, func(pkg int32, function uint32, counters []uint32) {
		list = append(list, fmt.Sprint(pkg, function, counters))
	}) {
		t.Fatalf("the record %v is not complete", record)
	}
	return list
}

func TestTakeMovesTheCountersOfFunctionsThatRan(t *testing.T) {
	sections := [][]uint32{section(), {1, ^uint32(6), 0, 8}}
	record := make([]uint32, RecordSize(sections))
	r := NewRecorder(sections, record)
	r.Take()
	if got, want := read(t, record), []string{"7 1 [5 0]", "7 4 [0 1 9]", "-7 0 [8]"}; !slices.Equal(got, want) {
		t.Errorf("the record has %q, want %q", got, want)
	}
	r.Take()
	if got := read(t, record); got != nil {
		t.Errorf("the counters are still there: %q", got)
	}
	sections[0][8] = 1 // the function runs again: its header is there
	r.Take()
	if got, want := read(t, record), []string{"7 1 [1 0]"}; !slices.Equal(got, want) {
		t.Errorf("the record has %q, want %q", got, want)
	}
}

func TestTheLastRecordIsLikeTheOthers(t *testing.T) {
	sections := [][]uint32{section(), {1, ^uint32(6), 0, 8}}
	record := make([]uint32, RecordSize(sections))
	r := NewRecorder(sections, record)
	r.TakeLast()
	want := []string{"7 1 [5 0]", "7 4 [0 1 9]", "-7 0 [8]"}
	if got := read(t, record); !slices.Equal(got, want) {
		t.Errorf("the record has %q, want %q", got, want)
	}
	r.Take()
	if got := read(t, record); !slices.Equal(got, want) {
		t.Errorf("after another call the record has %q, want %q", got, want)
	}
}

func TestARecordThatIsNotCompleteIsNotRead(t *testing.T) {
	record := make([]uint32, 40)
	NewRecorder([][]uint32{section()}, record).Take()
	for name, record := range map[string][]uint32{
		"none":                                nil,
		"cleared":                             append([]uint32{0}, record[1:]...),
		"longer than its memory":              append([]uint32{41}, record[1:]...),
		"cut in the header of a function":     append([]uint32{record[0] - 5}, record[1:]...),
		"cut in the counters of a function":   append([]uint32{record[0] - 1}, record[1:]...),
		"with a function longer than the end": {5, 9, 1, 1, 1},
	} {
		if Each(record, func(int32, uint32, []uint32) {}) {
			t.Errorf("%s: it is complete", name)
		}
	}
	r := NewRecorder([][]uint32{section()}, record)
	r.Take()
	r.Clear()
	if Each(record, func(int32, uint32, []uint32) {}) {
		t.Error("a record is complete after Clear")
	}
}

func TestASectionThatDoesNotFitItsHeadersEndsTheRecord(t *testing.T) {
	record := make([]uint32, 40)
	NewRecorder([][]uint32{{1, 2, 3, 4, 99, 2, 3}}, record).Take()
	if got, want := read(t, record), []string{"2 3 [4]"}; !slices.Equal(got, want) {
		t.Errorf("the record has %q, want %q", got, want)
	}
}
