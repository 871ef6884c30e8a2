package finding

import "testing"

func TestWhatIsKnownOfTheNewestVersionIsKeptForTheVersion(t *testing.T) {
	known := &Upstream{Newest: "v1.1.0", Result: Passes}
	old := Record{Dependency: &Dependency{Version: "v1.0.0"}, Upstream: known}
	same, other := Record{Dependency: &Dependency{Version: "v1.0.0"}}, Record{Dependency: &Dependency{Version: "v1.0.1"}}
	if same.Merge(old).Upstream != known || same.Renew(old).Upstream != known {
		t.Error("it is lost")
	}
	if other.Merge(old).Upstream != nil || other.Renew(old).Upstream != nil {
		t.Error("it is kept after an update of the dependency")
	}
	if old.Of(Sample{}).Upstream != nil {
		t.Error("another input has it")
	}
	if u := (&Upstream{Newest: "v1.1.0", Result: NotTried}); !known.Proved() || u.Proved() || (*Upstream)(nil).Proved() {
		t.Error("only an input that ran proves something")
	}
}
