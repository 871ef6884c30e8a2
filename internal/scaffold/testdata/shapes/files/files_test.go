package files

import (
	"os"
	"testing"
)

func TestDecode(t *testing.T) {
	data, err := os.ReadFile("testdata/small.bin")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := Decode(data); n != 3 || err != nil {
		t.Error(n, err)
	}
}
