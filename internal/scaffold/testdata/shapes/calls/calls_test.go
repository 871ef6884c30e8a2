package calls

import "testing"

func TestMatch(t *testing.T) {
	if !Match("abc", "b") {
		t.Error()
	}
}
