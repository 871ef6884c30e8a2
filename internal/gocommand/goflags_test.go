package gocommand

import (
	"errors"
	"slices"
	"testing"
)

func TestAProgramThatRunsTestBinariesIsRefused(t *testing.T) {
	for goflags, want := range map[string]bool{"": false, "-tags=exec": false, "-exec=": false, "-exec=time": true, "-mod=mod '-exec=sudo -E'": true, "--exec=time": true} {
		if err := CheckExec(Toolchain{Flags: goflags}); errors.Is(err, ErrExec) != want {
			t.Errorf("CheckExec of GOFLAGS=%s is %v", goflags, err)
		}
	}
}

func TestSplitGoflags(t *testing.T) {
	for in, want := range map[string][]string{
		"":                           nil,
		"  -v\t-x ":                  {"-v", "-x"},
		`"-ldflags=-s -w" '-run=a"'`: {"-ldflags=-s -w", `-run=a"`},
		`-run="a b"`:                 {`-run="a`, `b"`},
	} {
		if got, err := SplitGoflags(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("SplitGoflags(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	if _, err := SplitGoflags(`"-v`); err == nil {
		t.Error(`SplitGoflags("-v with an open quote) gives no error`)
	}
}
