package pairs

import "testing"

func TestEncode(t *testing.T) {
	if got := Encode([]byte("hi")); got != "6869" {
		t.Error(got)
	}
}

func ExampleEscapeName() {
	_ = EscapeName("a b")
}
