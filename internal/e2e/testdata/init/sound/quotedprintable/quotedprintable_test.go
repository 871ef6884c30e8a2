package quotedprintable

import (
	"strings"
	"testing"
)

func TestEncode(t *testing.T) {
	for _, tt := range []struct{ plain, encoded string }{
		{"", ""},
		{"plain text", "plain text"},
		{"1 + 1 = 2", "1 + 1 =3D 2"},
		{"space at the end ", "space at the end=20"},
		{"Übung\r\n", "=C3=9Cbung=0D=0A"},
	} {
		if got := Encode(tt.plain); got != tt.encoded {
			t.Errorf("Encode(%q) = %q", tt.plain, got)
		}
		if got, err := Decode(tt.encoded); err != nil || got != tt.plain {
			t.Errorf("Decode(%q) = %q, %v", tt.encoded, got, err)
		}
	}
	long := strings.Repeat("long = ", 40)
	for line := range strings.SplitSeq(Encode(long), "\r\n") {
		if len(line) > lineLength {
			t.Errorf("a line of %d characters", len(line))
		}
	}
	if got, err := Decode(Encode(long)); err != nil || got != long {
		t.Errorf("Decode = %q, %v", got, err)
	}
}

func TestDecode(t *testing.T) {
	for _, s := range []string{"=", "=A", "=xy", "=\n", "ä"} {
		if got, err := Decode(s); err == nil {
			t.Errorf("Decode(%q) = %q", s, got)
		}
	}
}
