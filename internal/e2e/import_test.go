package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// What another process writes to the corpus cache is executed by a campaign that runs.
func TestACampaignExecutesEntriesOfOtherProcesses(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	w, dir := module(t, "importing")
	r := w.start(t, dir, w.environ(), host.gnaw, "fuzz", "-json", "-parallel=2", "-failfast", "-fuzztime=60s")
	store := filepath.Join(w.cache, "fuzz", "example.com", "importing", "FuzzHash")
	fuzzes := func() bool { return len(glob(t, filepath.Join(store, "*"))) > 0 }
	if !within(longPatience, fuzzes) {
		t.Fatal("the campaign saves no entry")
	}
	writeFile(t, filepath.Join(store, "theirs"), "go test fuzz v1\n[]byte(\"an input that nobody guesses\")\n")
	code, output := r.wait(t, 5*patience)
	if code != 1 || !strings.Contains(output, "an input that nobody guesses") || strings.Contains(output, "gnaw: ") {
		t.Errorf("exit code %d, want 1 and the input of the other process:\n%s", code, clip(output))
	}
	w.wantNoProcess(t)
}
