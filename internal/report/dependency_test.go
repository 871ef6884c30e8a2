package report

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// dependencyRecord is a finding of version v1.2.0 of a dependency.
func dependencyRecord() finding.Record {
	r := record()
	r.Package, r.Target, r.Path = "example.com/d/p", "FuzzF", ".gnaw/deps/x/testdata/fuzz/FuzzF/1"
	r.Dependency = &finding.Dependency{Module: "example.com/d", Version: "v1.2.0", Line: 7, Folder: "p"}
	return r
}

func TestAFindingSaysWhetherTheNewestVersionHasIt(t *testing.T) {
	for _, tt := range []struct {
		name string
		u    *finding.Upstream
		want string
	}{
		{"no input ran", nil, "go.mod line 7\n"},
		{"there are no other versions", &finding.Upstream{}, "go.mod line 7\n"},
		{"the newest version has it", &finding.Upstream{Newest: "v1.2.5", Result: finding.Fails}, "go.mod line 7; also in v1.2.5, the newest\n"},
		{"the newest version does not have it", &finding.Upstream{Newest: "v1.2.5", Result: finding.Passes}, "go.mod line 7; not in v1.2.5, the newest\n"},
		{"the version is the newest", &finding.Upstream{Newest: "v1.2.0", Result: finding.IsNewest}, "; v1.2.0 is the newest\n"},
		{"the version is newer than the newest release", &finding.Upstream{Newest: "v1.1.0", Result: finding.IsNewest}, "; newer than v1.1.0, the newest release\n"},
		{"the input did not run", &finding.Upstream{Newest: "v1.2.5", Result: finding.NotTried, Reason: "so"}, "; newest version v1.2.5: not tried: so\n"},
		{"no network", &finding.Upstream{Result: finding.NotTried, Reason: "GOPROXY=off"}, "; newest version: not tried: GOPROXY=off\n"},
	} {
		r := dependencyRecord()
		r.Upstream = tt.u
		if got := block(r, Options{ID: "3f9a"}); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q is missing in\n%s", tt.name, tt.want, got)
		}
	}
}

func TestAFindingSaysWhichSettingsOfGodebugItNeeds(t *testing.T) {
	r := dependencyRecord()
	r.Upstream = &finding.Upstream{Debug: []string{"default=go1.26", "panicnil=0"}}
	got := block(r, Options{ID: "3f9a", Full: true})
	for _, want := range []string{
		"  godebug with the go.mod of example.com/d the input passes; with default=go1.26, panicnil=0 of yours it fails\n",
		"          go mod edit -godebug=default=go1.26 -godebug=panicnil=0\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	r.Upstream = &finding.Upstream{}
	if got := block(r, Options{ID: "3f9a", Full: true}); strings.Contains(got, "godebug") {
		t.Errorf("a finding that needs none is shown as\n%s", got)
	}
}

func TestAFindingSaysWhereTheSecurityPolicyIs(t *testing.T) {
	r := dependencyRecord()
	r.Dependency.Policy = []string{"/mod/d/SECURITY.md", "https://example.com/policy"}
	if got := block(r, Options{ID: "3f9a"}); !strings.Contains(got, "  policy  https://example.com/policy\n") || strings.Contains(got, "SECURITY.md") {
		t.Errorf("it is shown as\n%s", got)
	}
	const both = "  policy  /mod/d/SECURITY.md\n          https://example.com/policy\n"
	if got := block(r, Options{ID: "3f9a", Full: true}); !strings.Contains(got, both) {
		t.Errorf("with all details it is shown as\n%s", got)
	}
}
