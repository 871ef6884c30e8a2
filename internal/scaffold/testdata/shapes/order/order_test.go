package order

import "testing"

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		less, more string
		want       int
	}{{"b", "B", 0}, {"a", "b", -1}, {"A", "b", -1}} {
		c, _ := NewCode(tt.less)
		d, _ := NewCode(tt.more)
		if got := c.Cmp(d); got != tt.want || c.GreaterThan(d) {
			t.Errorf("%s and %s: %d", tt.less, tt.more, got)
		}
	}
}
