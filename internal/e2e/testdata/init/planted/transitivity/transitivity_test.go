package transitivity

import "testing"

func TestCompare(t *testing.T) {
	for _, tt := range []struct{ less, more string }{{"2", "10"}, {"alpha", "beta"}, {"7", "rc"}} {
		if Compare(tt.less, tt.more) >= 0 {
			t.Errorf("%s does not come before %s", tt.less, tt.more)
		}
	}
}
