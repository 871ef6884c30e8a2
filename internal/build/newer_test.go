package build

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

func TestAToolchainIsReadableIfItsLanguageIsNotNewer(t *testing.T) {
	own := strings.Fields(runtime.Version())[0]
	for version, want := range map[string]bool{
		"go1.24": true, own: true, own + " X:nodwarf5": true, language(own) + ".99": true, "devel go1.24-abc": true, "": true, "devel +0123": true,
		"go1.99.1": false, "go1.99rc1": false, "devel go1.99-abc": false, "go1.99-devel_abc Fri": false, "go1.99.1 X:greenteagc": false,
	} {
		err := Toolchain{Version: version}.Readable()
		if (err == nil) != want {
			t.Errorf("Readable of %q = %v, want an error: %v", version, err, !want)
		}
	}
}

func TestTheErrorOfANewerToolchainNamesTheCommand(t *testing.T) {
	for version, want := range map[string]string{
		"go1.99.1 X:nodwarf5": "cannot read Go code of go1.99.1: run `GOTOOLCHAIN=go1.99.1 go install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest`",
		"go1.99-devel_abc":    "cannot read Go code of go1.99-devel_abc: run `go install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest`",
	} {
		err := Toolchain{Version: version}.Readable()
		if err == nil || !strings.HasPrefix(err.Error(), "this gnaw is built with go1.") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("Readable of %q = %v, want …%s", version, err, want)
		}
	}
}

// TestSyntaxOfANewerToolchain has a test file and a file of the standard library that do not parse.
func TestSyntaxOfANewerToolchain(t *testing.T) {
	dir := unpack(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- a/a_test.go --\npackage a\n\ntype T struct{} ~ new syntax\n"+
		"-- b/b_test.go --\npackage b\n\nimport \"testing\"\n\nfunc FuzzB(f *testing.F) {}\n")
	tc := toolchain(t, "")
	for _, tt := range []struct {
		version string
		newer   bool
	}{{tc.Version, false}, {"go1.99.1", true}} {
		t.Run(tt.version, func(t *testing.T) {
			tc := tc
			tc.Version = tt.version
			targets, broken, err := List(t.Context(), tc, dir, []string{"./..."}, nil)
			if err != nil || len(targets) != 1 || len(broken) != 1 || strings.Contains(broken[0].Reason, "cannot read Go code of go1.99.1") != tt.newer {
				t.Errorf("List = %v, %v, %v", targets, broken, err)
			}
			e := mutilated(tc, "testing/fuzz.go", "package testing\n\nnew syntax\n")
			e.version = tt.version
			_, _, err = e.all(edits, nil)
			if wanted := (*NewerError)(nil); err == nil || errors.As(err, &wanted) != tt.newer {
				t.Errorf("all = %v, want a NewerError: %v", err, tt.newer)
			}
		})
	}
}
