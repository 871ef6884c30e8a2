package laws

import "testing"

func TestCompare(t *testing.T) {
	list := []string{"1.2", "1.3", "2.0", "10.1"}
	for i, s := range list {
		v, _ := Parse(s)
		w, _ := Parse(list[0])
		if i > 0 && v.Compare(w) != 1 {
			t.Error(s)
		}
	}
}
