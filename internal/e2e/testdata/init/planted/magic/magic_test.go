package magic

import "testing"

func TestDecode(t *testing.T) {
	if _, err := Decode([]byte("no record")); err == nil {
		t.Error("no error")
	}
}
