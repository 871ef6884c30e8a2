package solve

import (
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// measured is a comparison of a length with a constant.
func measured(seen, want uint64) compare.Record {
	return compare.Record{Site: 1, Op: compare.ConstInt, Width: 8, A: want, B: seen}
}

func TestLengthsAroundAReplacementArePutRight(t *testing.T) {
	tests := []struct {
		name     string
		record   compare.Record
		in, want string
	}{
		{
			"a word in a part in a frame", texts("abcdef", "ssh-ed25519"),
			"\x00\x00\x00\x0b\x11\x00\x00\x00\x06abcdef", "\x00\x00\x00\x10\x11\x00\x00\x00\x0bssh-ed25519",
		},
		{
			"a shorter word, and something behind the frame", texts("abcdef", "xy"),
			"\x00\x00\x00\x0b\x11\x00\x00\x00\x06abcdef....", "\x00\x00\x00\x07\x11\x00\x00\x00\x02xy....",
		},
		{"two bytes, the lowest first", texts("abc", "defgh"), "\x05\x00\x03\x00abc!", "\x07\x00\x05\x00defgh!"},
		{"single bytes", texts("abc", "defgh"), "\x05\x01\x03abc", "\x07\x01\x05defgh"},
		{
			"a byte around it that cannot say more", texts("abc", "defghijk"),
			"\xfd\x03abc" + strings.Repeat(".", 249), "\xfd\x08defghijk" + strings.Repeat(".", 249),
		},
		{"a length in the first byte", measured(6, 11), "\x06a b c;!", "\x0ba b c;a b c!"},
		{"a length that is too short", measured(6, 11), "\x00\x00\x00\x06abcdef", "\x00\x00\x00\x0babcdefabcde"},
		{"a length that is too long", measured(6, 2), "\x00\x0a\x11\x11\x00\x06abcdef", "\x00\x06\x11\x11\x00\x02ab"},
		{"an empty part", measured(0, 3), "\x00\x00\x00\x05\x11\x00\x00\x00\x00", "\x00\x00\x00\x08\x11\x00\x00\x00\x03000"},
		{"a word for an empty part", texts("", "abc"), "\x00\x00\x00\x05\x11\x00\x00\x00\x00", "\x00\x00\x00\x08\x11\x00\x00\x00\x03abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(suggested(table(tt.record), buffer(tt.in))); !slices.Contains(got, tt.want) {
				t.Errorf("Edits(%q) = %q, want %q", tt.in, got, tt.want)
			}
			off := table(tt.record)
			off.Without = technique.LengthFields
			if got := contents(suggested(off, buffer(tt.in))); slices.Contains(got, tt.want) {
				t.Errorf("without length fields, Edits(%q) has %q", tt.in, tt.want)
			}
		})
	}
}

func TestNoFieldIsPutRightThatSaysSomethingElse(t *testing.T) {
	tests := []struct {
		name   string
		record compare.Record
		in     string
		edits  int
	}{
		{"no field", texts("abcdef", "xy"), "\x00\x00\x00\x07abcdef", 1},
		{"a word that is as long", texts("abcdef", "uvwxyz"), "\x00\x00\x00\x06abcdef", 1},
		{"a length that a byte cannot say", texts("abc", strings.Repeat("x", 300)), "..\x03abc", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(suggested(table(tt.record), buffer(tt.in))); len(got) != tt.edits {
				t.Errorf("Edits(%q) = %q, want %d", tt.in, got, tt.edits)
			}
		})
	}
}
