package finding

import "testing"

func TestUpstreamIsKeptForTheSameVersion(t *testing.T) {
	known := &Upstream{Newest: "v1.1.0", Result: Passes}
	old := Record{Dependency: &Dependency{Version: "v1.0.0"}, Upstream: known}
	same, other := Record{Dependency: &Dependency{Version: "v1.0.0"}}, Record{Dependency: &Dependency{Version: "v1.0.1"}}
	if same.Merge(old).Upstream != known || same.Renew(old).Upstream != known {
		t.Error("a record of the same version does not have it")
	}
	if other.Merge(old).Upstream != nil || other.Renew(old).Upstream != nil {
		t.Error("a record of another version has it")
	}
	if old.Of(Sample{}).Upstream != nil {
		t.Error("a record with another input has it")
	}
	if u := (&Upstream{Newest: "v1.1.0", Result: NotTried}); !known.Proved() || u.Proved() || (*Upstream)(nil).Proved() {
		t.Errorf("Proved = %v, %v, %v, want true, false, false", known.Proved(), u.Proved(), (*Upstream)(nil).Proved())
	}
}
