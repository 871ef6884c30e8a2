package normal

import "testing"

func TestNormal(t *testing.T) {
	if CleanName(" a ") != "a" {
		t.Error()
	}
}

func TestNormalizePath(t *testing.T) {
	if got, _ := NormalizePath("a//"); got != "a/" {
		t.Error(got)
	}
}

func TestCanonicalBytes(t *testing.T) {
	if got, _ := CanonicalBytes([]byte("Name")); string(got) != "name" {
		t.Errorf("%s", got)
	}
}
