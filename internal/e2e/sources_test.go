//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// sourced has a target that hangs, or fails, as its sources say.
func sourced(t *testing.T) *scene {
	t.Helper()
	if !*flagLong {
		t.Skip("takes half a minute: -e2e.long")
	}
	w, dir := module(t, "sources")
	when := filepath.Join(w.dir, "when")
	return &scene{w, dir, when, w.environ("WHEN=" + when)}
}

// broken is a file in the middle of an edit.
const broken = "package sources\n\nfunc Parse(s string) {\n"

func TestAHangIsProvedByTheSourcesOfTheStart(t *testing.T) {
	t.Parallel()
	s := sourced(t)
	r := s.fuzz(t, "-timeout=1s", "-failfast", "-fuzztime=60s")
	r.waitFor(t, `"event":"start"`, "")
	writeFile(t, filepath.Join(s.dir, "parse.go"), broken)
	writeFile(t, filepath.Join(s.dir, "new_test.go"), broken)
	s.fail(t)
	list, output := s.end(t, r, 1)
	if found := only(list, "finding"); len(found) != 1 || found[0].Kind != "hang" {
		t.Errorf("findings %+v, want one hang that is proved\n%s", found, clip(output))
	}
}

func TestAHangOfGoTestIsProvedByTheSourcesOfTheStart(t *testing.T) {
	t.Parallel()
	s := sourced(t)
	r := s.start(t, s.dir, s.env, host.gnaw, "test", "-fuzz=.", "-fuzztimeout=1s", "-failfast", "-fuzztime=60s", "-parallel=2", "-vet=off")
	r.waitFor(t, "fuzz: elapsed: 3s", "") // by then the sources are copied, beside fuzzing
	writeFile(t, filepath.Join(s.dir, "parse.go"), broken)
	s.fail(t)
	code, output := r.wait(t, 3*patience)
	if code != 1 || !strings.Contains(output, "--- FAIL: FuzzParse") || strings.Contains(output, "could not be run again") {
		t.Errorf("exit code %d, and not a hang that is proved:\n%s", code, clip(output))
	}
	s.wantNoProcess(t)
}

func TestAnotherCampaignDoesNotReplaceTheBinary(t *testing.T) {
	t.Parallel()
	s := sourced(t)
	first := s.fuzz(t, "-fuzztime=12s")
	first.waitFor(t, `"event":"start"`, "")
	writeFile(t, filepath.Join(s.dir, "parse.go"), "package sources\n\nfunc Parse(string) { panic(\"other code\") }\n")
	code, output := s.fuzz(t, "-fuzztime=1x").wait(t, patience)
	if code != 1 || !strings.Contains(output, "other code") {
		t.Fatalf("exit code %d; the other code has no bug:\n%s", code, clip(output))
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.processes() { // they are started again
		if p.isWorker() {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	list, output := s.end(t, first, 0)
	if found := only(list, "finding"); len(found) > 0 || !strings.Contains(output, "starting it again") {
		t.Errorf("the first campaign reports %+v, want nothing of code that it was not started with\n%s", found, clip(output))
	}
	if left := glob(t, filepath.Join(s.gnaws, "run", "*")); len(left) > 0 {
		t.Errorf("what was built stays: %q", left)
	}
}

// Two containers with one cache have processes of the same numbers.
func TestALivingCampaignInAnotherContainerIsNotResumed(t *testing.T) {
	t.Parallel()
	s := sourced(t)
	inContainer := []string{"--pid", "--fork", "--kill-child"}
	if err := exec.Command("unshare", append(inContainer, "true")...).Run(); err != nil {
		t.Skipf("a process namespace is needed: %v", err)
	}
	args := []string{"fuzz", "-json", "-parallel=1", "-fuzztime=12s"}
	first := s.start(t, s.dir, s.env, host.gnaw, args...)
	first.waitFor(t, `"event":"status"`, "") // until then, what the campaign knows was recorded
	code, output := s.start(t, s.dir, s.env, "unshare", slices.Concat(inContainer, []string{host.gnaw}, args)...).wait(t, 2*patience)
	if list := events(t, output); code != 0 || len(only(list, "end")) != 1 || len(only(list, "resume")) > 0 {
		t.Errorf("exit code %d, and not a campaign of its own:\n%s", code, clip(output))
	}
	s.end(t, first, 0)
}
