package store

import (
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestTheHistoryKnowsWhichDependenciesWereFuzzed(t *testing.T) {
	s := opened(t, path(t))
	defer s.Close()
	at := time.UnixMilli(1_700_000_000_000)
	old := Dependency{fuzz.Name{Package: "d/p", Func: "FuzzX"}, "v1.0.0", "go1.26", "amd64", at}
	other := Dependency{fuzz.Name{Package: "d/p", Func: "FuzzX"}, "v1.1.0", "go1.26", "amd64", at.Add(time.Hour)}
	again := old
	again.Last = at.Add(2 * time.Hour)
	for _, d := range []Dependency{old, other, again} {
		if err := s.Fuzzed(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Dependencies(t.Context())
	if want := []Dependency{again, other}; err != nil || !slices.Equal(got, want) {
		t.Errorf("they are %v (%v), want %v", got, err, want)
	}
}
