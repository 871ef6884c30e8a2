package semver

import "testing"

func TestCompare(t *testing.T) {
	list := []string{
		"0.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
		"1.0.1+build.5", "99999999999999999999.0.0",
	}
	for i, a := range list {
		v, err := Parse(a)
		if err != nil || v.String() != a {
			t.Fatalf("Parse(%q) = %v, %v", a, v, err)
		}
		for j, b := range list {
			w, _ := Parse(b)
			if got, want := v.Compare(w), max(-1, min(1, i-j)); got != want {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, s := range []string{"", "1.2", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "1.2.3-a..b", "v1.2.3"} {
		if v, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v", s, v)
		}
	}
}

func TestUnmarshalText(t *testing.T) {
	var v Version
	if err := v.UnmarshalText([]byte("1.2.3-rc.1+x")); err != nil || v.build != "x" {
		t.Error(v, err)
	}
}
