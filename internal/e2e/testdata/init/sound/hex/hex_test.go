package hex

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestHex(t *testing.T) {
	if got := Encode([]byte("hi\xff")); got != "6869ff" {
		t.Error(got)
	}
	for _, s := range []string{"6869ff", "6869FF"} {
		if got, err := Decode(s); err != nil || !bytes.Equal(got, []byte("hi\xff")) {
			t.Error(got, err)
		}
	}
	for _, s := range []string{"1", "xy", "0g"} {
		if _, err := Decode(s); err == nil {
			t.Errorf("Decode(%q) has no error", s)
		}
	}
}

func TestReader(t *testing.T) {
	got, err := io.ReadAll(NewReader(strings.NewReader("676f")))
	if err != nil || string(got) != "go" {
		t.Error(got, err)
	}
	if _, err := io.ReadAll(NewReader(strings.NewReader("676"))); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}
