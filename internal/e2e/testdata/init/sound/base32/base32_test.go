package base32

import "testing"

func TestBase32(t *testing.T) {
	for _, tt := range []struct{ plain, encoded string }{
		{"", ""},
		{"f", "MY======"},
		{"fo", "MZXQ===="},
		{"foo", "MZXW6==="},
		{"foob", "MZXW6YQ="},
		{"fooba", "MZXW6YTB"},
		{"foobar", "MZXW6YTBOI======"},
	} {
		if got := Encode([]byte(tt.plain)); got != tt.encoded {
			t.Errorf("Encode(%q) = %q", tt.plain, got)
		}
		if got, err := Decode(tt.encoded); err != nil || string(got) != tt.plain {
			t.Errorf("Decode(%q) = %q, %v", tt.encoded, got, err)
		}
	}
	for _, s := range []string{"M", "MZ======", "MY=====", "my======", "========", "M======="} {
		if got, err := Decode(s); err == nil {
			t.Errorf("Decode(%q) = %q", s, got)
		}
	}
}
