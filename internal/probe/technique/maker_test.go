package technique

import (
	"slices"
	"testing"
)

func TestEachMakerHasANameOfItsOwn(t *testing.T) {
	names := map[string]bool{}
	for m := Maker(0); m <= lastMaker; m++ {
		name := m.String()
		if names[name] || (name == "") != (m == 0) {
			t.Errorf("maker %d has the name %q", m, name)
		}
		names[name] = true
		if m != 0 && m != ByMutation && m != BySolvedMutation && !slices.Contains(Names(), name) {
			t.Errorf("no technique is called %q", name)
		}
	}
	if got := (lastMaker + 1).String(); got != "" {
		t.Errorf("an unknown maker has the name %q", got)
	}
}
