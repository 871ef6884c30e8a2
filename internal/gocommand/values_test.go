package gocommand

import (
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int64{
		"1": 1, "512": 512, "512B": 512, "1k": 1024, "1KB": 1000, "2MiB": 2 << 20, "1.5GiB": 3 << 29, "2gb": 2e9,
		"1 TiB": 1 << 40, "3T": 3 << 40,
	} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
}

func TestParseMemLimit(t *testing.T) {
	for in, want := range map[string]int64{"off": 0, "16MiB": 16 << 20, "16777216": 16 << 20, "2GB": 2e9} {
		if got, err := ParseMemLimit(in); err != nil || got != want {
			t.Errorf("ParseMemLimit(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"1", "16777215", "15.9MiB", "lots", ""} {
		if got, err := ParseMemLimit(in); err == nil || !strings.Contains(err.Error(), "at least 16MiB") {
			t.Errorf("ParseMemLimit(%q) = %d, %v, want an error with the least limit", in, got, err)
		}
	}
}
