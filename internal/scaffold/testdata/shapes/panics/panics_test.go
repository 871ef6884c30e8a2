package panics

import "testing"

func TestParse(t *testing.T) {
	for _, s := range []string{"ab", "c"} {
		func() {
			defer func() { _ = recover() }()
			_, _ = Parse(s)
		}()
	}
}
