//go:build linux

package e2e

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "modernc.org/sqlite" // as another process that uses the history
)

// told is what one line of `gnaw fuzz -json` says, as far as the tests want to know.
type told struct {
	Event, Package, Target, Text, Result string
	Path, Kind, Message                  string
	Seconds                              float64
	Execs                                uint64
	Exit                                 int `json:"exit_code"`
	Bugs                                 int
	Findings                             int
}

// events reads the objects among the lines of an output; others are of the error output.
func events(t *testing.T, output string) (list []told) {
	t.Helper()
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var e told
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			if strings.HasSuffix(line, "\n") {
				t.Errorf("%v in the line\n%s", err, line)
			}
			continue
		}
		list = append(list, e)
	}
	return list
}

// only returns the events of a kind.
func only(list []told, event string) (some []told) {
	for _, e := range list {
		if e.Event == event {
			some = append(some, e)
		}
	}
	return some
}

// scene is a module whose campaigns are disturbed.
type scene struct {
	*world
	dir  string
	when string // file whose presence lets FuzzWhen fail
	env  []string
}

// newScene makes a scene.
func newScene(t *testing.T) *scene {
	t.Helper()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	w, dir := module(t, "campaign")
	s := &scene{world: w, dir: dir, when: filepath.Join(w.dir, "when")}
	s.env = w.environ("WHEN=" + s.when)
	return s
}

// history is the path of the database.
func (s *scene) history() string { return filepath.Join(s.world.gnaws, "history.db") }

// fuzz starts a campaign.
func (s *scene) fuzz(t *testing.T, args ...string) *running {
	t.Helper()
	return s.start(t, s.dir, s.env, host.gnaw, append([]string{"fuzz", "-json", "-parallel=2"}, args...)...)
}

// fail lets FuzzWhen fail.
func (s *scene) fail(t *testing.T) {
	t.Helper()
	writeFile(t, s.when, "")
}

// end waits for the end of a campaign, which must leave no process, and returns what it said.
func (s *scene) end(t *testing.T, r *running, code int) (list []told, output string) {
	t.Helper()
	got, output := r.wait(t, 3*patience)
	s.wantNoProcess(t)
	if got != code {
		t.Errorf("exit code %d, want %d:\n%s", got, code, clip(output))
	}
	if oursIn.MatchString(output) {
		t.Errorf("a stack of gnaw:\n%s", clip(output))
	}
	list = events(t, output)
	s.checkFindings(t, list)
	return list, output
}

// checkFindings checks that the file of each finding that was told is there.
func (s *scene) checkFindings(t *testing.T, list []told) {
	t.Helper()
	for _, e := range only(list, "finding") {
		if _, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(e.Path))); err != nil {
			t.Errorf("a finding was told whose input is not there: %v", err)
		}
	}
}

func TestAKilledCampaignGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	s.fail(t)
	const budget = "-fuzztime=12s"
	r := s.fuzz(t, budget)
	r.waitFor(t, `"event":"finding"`, "")
	r.waitFor(t, `"event":"status"`, "") // until then, what the campaign knows was recorded
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	before, _ := s.end(t, r, -1)
	status := only(before, "status")[0]

	again := s.fuzz(t, "-v", budget) // which is the same campaign
	after, output := s.end(t, again, 1)
	resumed := only(after, "resume")
	if len(resumed) != 1 || !strings.Contains(resumed[0].Text, "was killed after ") || !strings.Contains(resumed[0].Text, " that are left") {
		t.Fatalf("the campaign does not say that it goes on: %+v\n%s", resumed, clip(output))
	}
	execs := uint64(0)
	for _, e := range only(after, "target") {
		execs += e.Execs
	}
	end := only(after, "end")[0]
	if end.Seconds < 12 || only(after, "start")[0].Seconds >= 12 || execs < status.Execs {
		t.Errorf("it ends after %v s, of which it had %v, with %d executions, %d of which were made before", end.Seconds, only(after, "start")[0].Seconds, execs, status.Execs)
	}
	third, _ := s.end(t, s.fuzz(t, "-fuzztime=1s"), 1)
	if list := only(third, "resume"); len(list) > 0 {
		t.Errorf("another campaign goes on with it: %+v", list)
	}
}

func TestACampaignSurvivesTheDeathOfItsWorkers(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	r := s.fuzz(t, "-fuzztime=6s", "-fuzz=Long")
	r.waitFor(t, `"event":"start"`, "")
	killed := map[int]bool{}
	eventually(func() bool {
		for _, p := range s.processes() {
			if len(killed) < 2 && p.isWorker() && !killed[p.pid] && syscall.Kill(p.pid, syscall.SIGKILL) == nil {
				killed[p.pid] = true
			}
		}
		return len(killed) == 2
	})
	list, output := s.end(t, r, 0)
	warnings := only(list, "warning")
	if len(warnings) == 0 || !strings.Contains(output, "starting it again") {
		t.Errorf("%d workers were killed, which nobody says:\n%s", len(killed), clip(output))
	}
	if n := len(only(list, "finding")); n > 0 {
		t.Errorf("%d findings were made of it", n)
	}
	s.checkStores(t)
}

// checkStores checks that every file of the corpus and of testdata is whole.
func (s *scene) checkStores(t *testing.T) {
	t.Helper()
	k := &killing{world: s.world, dir: s.dir}
	roots := append(k.stores(), glob(t, filepath.Join(s.dir, "*", "testdata", "fuzz", "Fuzz*"))...)
	if len(roots) == 0 {
		t.Error("nothing was kept at all")
	}
	for _, dir := range roots {
		k.checkStore(t, dir)
	}
}

func TestACampaignWhoseHistoryIsLockedGoesOn(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	s.end(t, s.fuzz(t, "-fuzztime=100x"), 0) // which makes the history
	r := s.fuzz(t, "-fuzztime=14s")
	r.waitFor(t, `"event":"start"`, "")
	db, err := sql.Open("sqlite", "file:"+s.history()+"?_txlock=immediate&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // if the test ends before it does
	s.fail(t)
	r.waitFor(t, `"event":"finding"`, "")
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	list, output := s.end(t, r, 1)
	if n := strings.Count(output, "another process has locked it"); n != 1 || strings.Count(output, "gnaw continues without the history") != 1 {
		t.Errorf("the lock is told %d times, want once:\n%s", n, clip(output))
	}
	if n := len(only(list, "finding")); n != 1 {
		t.Errorf("%d findings, want one", n)
	}
	var findings, open int
	if err := db.QueryRow("SELECT (SELECT count(*) FROM findings), (SELECT count(*) FROM campaigns WHERE ended = 0)").Scan(&findings, &open); err != nil {
		t.Fatal(err)
	}
	if findings != 1 || open != 0 {
		t.Errorf("the history has %d findings and %d campaigns that have not ended, want 1 and 0", findings, open)
	}
}

func TestACampaignWithAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	small := filepath.Join(s.cache, "fuzz", "example.com", "campaign", "a")
	if err := os.MkdirAll(small, 0o777); err != nil {
		t.Fatal(err)
	}
	mountSmall(t, small, "16k")
	s.fail(t)
	list, output := s.end(t, s.fuzz(t, "-fuzztime=6s"), 1)
	aside := only(list, "aside")
	if len(aside) != 1 || aside[0].Target != "FuzzLong" || !strings.Contains(aside[0].Text, "no space left on device") || !strings.Contains(aside[0].Text, "free some space") {
		t.Errorf("the target whose corpus has no room is told as %+v\n%s", aside, clip(output))
	}
	if found := only(list, "finding"); len(found) != 1 || found[0].Target != "FuzzWhen" {
		t.Errorf("the other target was not fuzzed: %+v", found)
	}
	s.checkStores(t)
}

// mountSmall mounts a disk of that size.
func mountSmall(t *testing.T, dir, size string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk is needed, which takes the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

func TestTwoCampaignsAtOnceShareAndDoNotFight(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	s.fail(t)
	runs := []*running{s.fuzz(t, "-fuzztime=5s"), s.fuzz(t, "-fuzztime=5s")}
	for _, r := range runs {
		code, output := r.wait(t, 3*patience)
		list := events(t, output)
		s.checkFindings(t, list)
		if found := only(list, "finding"); code != 1 || len(found) != 1 || strings.Contains(output, "gnaw: ") || len(only(list, "resume")) > 0 {
			t.Errorf("exit code %d with findings %+v\n%s", code, found, clip(output))
		}
	}
	s.wantNoProcess(t)
	s.checkStores(t)
	if files := glob(t, filepath.Join(s.dir, "b", "testdata", "fuzz", "FuzzWhen", "*")); len(files) != 1 {
		t.Errorf("the finding has the files %v, want one", files)
	}
	r := s.start(t, s.dir, s.env, host.gnaw, "findings", "-json")
	if _, output := r.wait(t, patience); strings.Count(output, "\n") != 1 || !strings.Contains(output, `"times_seen":2`) {
		t.Errorf("the history has\n%s\nwant one finding that was seen twice", output)
	}
}

func TestARepositoryThatChangesUnderACampaign(t *testing.T) {
	t.Parallel()
	if !*flagLong {
		t.Skip("takes half a minute: -e2e.long")
	}
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string)
		code   int
		aside  string // what is said about the target that cannot go on; empty: it goes on
	}{
		{"a source file is edited", func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "b", "b_test.go"), "package b\n\nno Go\n")
		}, 1, ""},
		{"testdata is removed", func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "b", "testdata")); err != nil {
				t.Fatal(err)
			}
		}, 1, ""},
		{"a package is deleted", func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
				t.Fatal(err)
			}
		}, 3, "the folder of the package was deleted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t)
			writeFile(t, filepath.Join(s.dir, "b", "testdata", "fuzz", "FuzzWhen", "seed"), "go test fuzz v1\nuint16(3)\n")
			r := s.fuzz(t, "-fuzztime=8s")
			r.waitFor(t, `"event":"start"`, "")
			tt.change(t, s.dir)
			if tt.aside != "" {
				r.waitFor(t, `"event":"aside"`, "")
			}
			s.fail(t)
			list, output := s.end(t, r, tt.code)
			aside := only(list, "aside")
			if tt.aside == "" && (len(aside) > 0 || len(only(list, "finding")) != 1) {
				t.Errorf("the target does not go on to its finding:\n%s", clip(output))
			}
			if tt.aside != "" && (len(aside) != 1 || !strings.Contains(aside[0].Text, tt.aside) || strings.Contains(aside[0].Text, "\n")) {
				t.Errorf("the target is told as %+v, want %q", aside, tt.aside)
			}
			if len(only(list, "target")) != 2 {
				t.Errorf("the campaign did not come to its end:\n%s", clip(output))
			}
		})
	}
}
