package chance

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

func TestASeedRepeatsTheNumbers(t *testing.T) {
	defer Release()
	draw := func(s uint64) (n [3]uint64) {
		Seed(s)
		for i := range n {
			n[i] = hook.Chance()
		}
		return n
	}
	if a, b := draw(1), draw(1); a != b {
		t.Errorf("one seed gives %x and %x", a, b)
	}
	if a, b := draw(1), draw(2); a == b || a[0] == a[1] {
		t.Errorf("two seeds give %x and %x", a, b)
	}
	if Release(); hook.Seeded {
		t.Error("the generator is still in use")
	}
}
