package antisymmetry

import "testing"

func TestCompare(t *testing.T) {
	list := []string{"1", "1.2", "1.10", "2", "10.0.1"}
	for i, s := range list {
		v, err := Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		for j, s := range list {
			w, _ := Parse(s)
			if got := v.Compare(w); got != max(-1, min(1, i-j)) {
				t.Errorf("%v and %v: %d", v, w, got)
			}
		}
	}
}
