package query

import (
	"reflect"
	"testing"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		in   string
		want []Pair
	}{
		{"", nil},
		{"q=go+fuzzing&lang=en%2Dgb", []Pair{{"q", "go fuzzing"}, {"lang", "en-gb"}}},
		{"&&flag&=", []Pair{{"flag", ""}, {"", ""}}},
		{"a=b=c", []Pair{{"a", "b=c"}}},
	}
	for _, tt := range tests {
		if got, err := Decode(tt.in); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Decode(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
	for _, bad := range []string{"%", "a=%4", "%zz=1"} {
		if got, err := Decode(bad); err == nil {
			t.Errorf("Decode(%q) = %q, want an error", bad, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("q=go+fuzzing&lang=en%2Dgb")
	f.Add("&&flag&=")
	f.Fuzz(func(t *testing.T, s string) {
		pairs, err := Decode(s)
		if err != nil {
			return
		}
		again, err := Decode(Encode(pairs))
		if err != nil || !reflect.DeepEqual(again, pairs) {
			t.Errorf("%q comes back as %q, %v", pairs, again, err)
		}
	})
}
