package overlay

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func TestTheStandardLibraryIsAnnouncedOnce(t *testing.T) {
	testkit.OwnCache(t)
	tc := toolchain.Find(t, "")
	o, err := own.overlay(tc, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	missing := o
	missing.missing = []error{&AnchorError{"go1.99.1", "strings/strings.go", "strings.Index", "not found"}}
	unparsed := Overlay{missing: []error{&gocommand.NewerError{Version: "go1.99.1", Built: "go1.26"}, &gocommand.NewerError{Version: "go1.99.1", Built: "go1.26"}}}
	for _, tt := range []struct {
		name    string
		tc      gocommand.Toolchain
		overlay Overlay
		flags   []string
		want    []string // nil: nothing is said
	}{
		{"the first build", tc, o, nil, []string{"gnaw: building an instrumented standard library for " + tc.Version, "-std=plain"}},
		{"the second build", tc, o, []string{"-tags=x"}, nil},
		{"the first build for the race detector", tc, o, []string{"-race"}, []string{"building an instrumented standard library"}},
		{"the second build for the race detector", tc, o, []string{"-race"}, nil},
		{"a build without hooks", tc, Overlay{}, nil, nil},
		{"hooks in a file that does not parse", tc, unparsed, nil, []string{"without a hook: this gnaw is built with go1.26 and cannot read Go code of go1.99.1"}},
		{"a hook that is left out", tc, missing, nil, []string{"strings/strings.go of go1.99.1", `"strings.Index"`, "not found"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var said bytes.Buffer
			tt.tc.Notices = &said
			tt.overlay.Announce(tt.tc, tt.flags)
			testkit.Contains(t, "notice", said.String(), tt.want...)
			if n := strings.Count(said.String(), "\n"); n != min(len(tt.want), 1) {
				t.Errorf("%d lines: %q", n, said.String())
			}
		})
	}
	again, err := own.overlay(tc, t.TempDir(), "/another/gnaw")
	if err != nil || again.std != o.std {
		t.Errorf("another gnaw builds another standard library: %s, %s, %v", again.std, o.std, err)
	}
	tc.Plain = true
	if plain, err := own.overlay(tc, t.TempDir(), ""); err != nil || plain.std != "" {
		t.Errorf("without hooks, std is %q, %v", plain.std, err)
	}
}

// TestPlainLeavesTheStandardLibraryAlone: only package testing and what belongs to it may differ, and the package that the linker adds
// with -cover.
func TestPlainLeavesTheStandardLibraryAlone(t *testing.T) {
	tc := toolchain.Find(t, "")
	tc.Plain = true
	o, err := own.overlay(tc, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for name := range o.Replace {
		if !strings.Contains(name, "/testing/") && !strings.Contains(name, "/internal/fuzz/") && !strings.Contains(name, "/internal/coverage/cfile/") {
			t.Errorf("%s is replaced", name)
		}
	}
}
