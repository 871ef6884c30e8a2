package printed_test

import (
	"testing"

	"example.com/shapes/printed"
)

func TestParse(t *testing.T) {
	const long = "name" + "=" + "a \"quoted\" value"
	for _, s := range []string{"a=b", "=", long} {
		if _, err := printed.Parse(s); err != nil {
			t.Error(err)
		}
	}
}

func TestParseList(t *testing.T) {
	if l, ok := printed.ParseList("one,two"); !ok || l.String() != "(one two)" {
		t.Errorf("got %v", l)
	}
}
