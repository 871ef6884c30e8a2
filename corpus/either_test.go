package corpus

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

func TestAFileOfOneBufferIsRawUnlessItIsOneOfGoTest(t *testing.T) {
	text := func(s string) input.Args { return input.Args{{Kind: input.String, Data: []byte(s)}} }
	one := []input.Kind{input.String}
	for _, tt := range []struct {
		name, file string
		kinds      []input.Kind
		want       input.Args
	}{
		{"raw", "abc", one, text("abc")},
		{"empty", "", one, text("")},
		{"of go test", "go test fuzz v1\nstring(\"abc\")\n", one, text("abc")},
		{"of go test, of another target", "go test fuzz v1\nint(1)\n", one, text("go test fuzz v1\nint(1)\n")},
		{"several arguments", "go test fuzz v1\nstring(\"a\")\nstring(\"b\")\n", []input.Kind{input.String, input.String}, append(text("a"), text("b")...)},
	} {
		got, err := Either(tt.kinds).Unmarshal([]byte(tt.file))
		if err != nil || !got.Equal(tt.want) {
			t.Errorf("%s: it is %v (%v), want %v", tt.name, got, err, tt.want)
		}
	}
	if _, err := Either([]input.Kind{input.Int}).Unmarshal([]byte("abc")); err == nil {
		t.Error("a raw file is read as a number")
	}
}

func FuzzEither(f *testing.F) {
	f.Add([]byte("abc"))
	f.Add([]byte("go test fuzz v1\n[]byte(\"abc\")\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, a := Either([]input.Kind{input.Bytes}), input.Args{{Kind: input.Bytes, Data: data}}
		file, err := c.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Unmarshal(file); err != nil || !got.Equal(a) {
			t.Errorf("%q is read as %v (%v), want %v", file, got, err, a)
		}
	})
}
