package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

func TestAProcessThatPrintsNothingHasAMessage(t *testing.T) {
	m := project.Module{Root: t.TempDir(), Path: "example.com/m"}
	r := RecordOf(m, build.Target{Name: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}, Dir: m.Root}, &finding.Finding{
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
		r := RecordOf(m, build.Target{Name: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}, Dir: m.Root}, &finding.Finding{
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
	r := RecordOf(m, build.Target{Name: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}, Dir: m.Root}, &finding.Finding{
		Kind: finding.Failure, Place: "x_test.go:3", Output: "--- FAIL: FuzzX (0.00s)\n    x_test.go:3: \n", Replays: 3, Failures: 3,
	})
	if r.Message != "" || r.Title() != "failure" {
		t.Errorf("the message is %q, the title %q", r.Message, r.Title())
	}
}

// A target that prints its input in a message has one bug, whatever the input is. The source says which words are its own.
func TestAnInputInAMessageIsNoOtherBug(t *testing.T) {
	m := project.Module{Root: t.TempDir(), Path: "example.com/m"}
	const source = "package m\n\nfunc FuzzX(f *testing.F) {\n\tt.Errorf(\"is bad: %v\", s)\n\tt.Errorf(\"is worse: %v\", s)\n}\n"
	if err := os.WriteFile(filepath.Join(m.Root, "x_test.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	id := func(place, message, in string) string {
		return RecordOf(m, build.Target{Name: fuzz.Name{Package: "example.com/m", Func: "FuzzX"}, Dir: m.Root}, &finding.Finding{
			Kind: finding.Failure, Place: place, Message: message, Input: input.Args{{Kind: input.String, Data: []byte(in)}},
			Output: "--- FAIL: FuzzX (0.00s)\n    " + place + ": " + message + "\n",
		}).ID
	}
	first := id("x_test.go:4", "is bad: foo", "foo")
	for in, message := range map[string]string{"a": "is bad: a", "is": "is bad: is", "": "is bad: ", "x y\nz": "is bad: x y"} {
		if got := id("x_test.go:4", message, in); got != first {
			t.Errorf("the input %q has the ID %s, want %s as any other", in, got, first)
		}
	}
	if id("x_test.go:5", "is worse: foo", "foo") == first {
		t.Error("another message has the same ID")
	}
	if id("x_test.go:4", "is bad: foo", "bar") == first {
		t.Error("words that are not of the input do not count")
	}
}

// What the engine takes for one failure is one record.
func TestTheEngineKnowsTheMessagesOfTheSources(t *testing.T) {
	l := newLab(t)
	l.binaries = newBinaries(&brokenBuilder{}, l.Events, nil)
	dir := l.Module.Root
	text := "package m\n\nfunc FuzzX(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) {\n\t\tt.Errorf(\"%s is wrong\", s)\n\t})\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "m_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := l.target.options()
	if err != nil {
		t.Fatal(err)
	}
	one := &finding.Finding{Kind: finding.Failure, Target: "FuzzX", Message: "a is wrong", Place: "m_test.go:5", Input: input.Args{{Kind: input.String, Data: []byte("a")}}}
	two := &finding.Finding{Kind: finding.Failure, Target: "FuzzX", Message: "b", Place: "m_test.go:5", Input: input.Args{{Kind: input.String, Data: []byte("b\nc")}}}
	for _, f := range []*finding.Finding{one, two} {
		f.Output = "    m_test.go:5: " + f.Message + "\n"
	}
	key := func(f *finding.Finding) string { return proof.Key(f, o.Formats(f.Calls()[0])) }
	if key(one) != key(two) {
		t.Errorf("the keys are %q and %q", key(one), key(two))
	}
	if proof.Key(one, nil) == proof.Key(two, nil) {
		t.Error("without the sources the keys are the same, so the test shows nothing")
	}
	if a, b := RecordOf(l.Module, l.target.Target, one), RecordOf(l.Module, l.target.Target, two); a.ID != b.ID {
		t.Errorf("the IDs are %s and %s", a.ID, b.ID)
	}
}
