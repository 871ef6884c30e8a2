package unsettled

import (
	"os"
	"testing"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"abc", "a"} {
		if _, err := ParseCode(s); err != nil {
			t.Error(err)
		}
	}
}

func TestLoad(t *testing.T) {
	for _, name := range []string{"testdata/one.txt", "testdata/two.bin"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(data); err != nil {
			t.Error(err)
		}
	}
}
