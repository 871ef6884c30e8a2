package campaign

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

func TestAProcessThatPrintsNothingHasAMessage(t *testing.T) {
	m := project.Module{Root: t.TempDir(), Path: "example.com/m"}
	r := RecordOf(m, build.Target{Package: "example.com/m", Dir: m.Root, Name: "FuzzX"}, &finding.Finding{
		Kind: finding.Exit, Output: "fuzzing process hung or terminated unexpectedly: exit status 3\n", Path: "testdata/fuzz/FuzzX/1", Replays: 3, Failures: 2,
	})
	if r.Message != "exit status 3" || r.Path != "testdata/fuzz/FuzzX/1" || r.Folder != "." || r.Replays != 3 || r.Repeats != 2 {
		t.Errorf("the record is %+v", r)
	}
}

// An input that passes at times may have passed because of another byte, or by chance.
func TestAFlakyFindingHasNoBytesThatMatter(t *testing.T) {
	m := project.Module{Root: t.TempDir(), Path: "example.com/m"}
	for _, flaky := range []bool{false, true} {
		r := RecordOf(m, build.Target{Package: "example.com/m", Dir: m.Root, Name: "FuzzX"}, &finding.Finding{
			Kind: finding.Panic, Flaky: flaky, Matter: []finding.Matter{{Bytes: [][2]int{{0, 1}}}},
		})
		if got := r.Matter != nil; got == flaky {
			t.Errorf("flaky %v: the bytes that matter are %v", flaky, r.Matter)
		}
	}
}

// The place of the failure is not its message.
func TestAFailureThatLogsNothingHasNoMessage(t *testing.T) {
	m := project.Module{Root: t.TempDir(), Path: "example.com/m"}
	r := RecordOf(m, build.Target{Package: "example.com/m", Dir: m.Root, Name: "FuzzX"}, &finding.Finding{
		Kind: finding.Failure, Place: "x_test.go:3", Output: "--- FAIL: FuzzX (0.00s)\n    x_test.go:3: \n", Replays: 3, Failures: 3,
	})
	if r.Message != "" || r.Title() != "failure" {
		t.Errorf("the message is %q, the title %q", r.Message, r.Title())
	}
}
