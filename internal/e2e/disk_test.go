//go:build linux

package e2e

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gnaw runs a command in a folder and returns its exit code and all that it prints.
func (s *scene) gnaw(t *testing.T, dir string, args ...string) (code int, output string) {
	t.Helper()
	r := s.start(t, dir, s.env, host.gnaw, args...)
	return r.wait(t, patience)
}

// onDisk moves the module of the scene to a disk of that size.
func (s *scene) onDisk(t *testing.T, size string) {
	t.Helper()
	small := filepath.Join(s.world.dir, "small")
	if err := os.Mkdir(small, 0o777); err != nil {
		t.Fatal(err)
	}
	mountSmall(t, small, size)
	if err := os.CopyFS(filepath.Join(small, "m"), os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	s.dir = filepath.Join(small, "m")
}

// found has a campaign find the bug of FuzzWhen, and returns its ID.
func (s *scene) found(t *testing.T) (id string) {
	t.Helper()
	s.fail(t)
	s.end(t, s.fuzz(t, "-failfast", "-fuzz=FuzzWhen", "-fuzztime=60s"), 1)
	db, err := sql.Open("sqlite", s.history())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT id FROM findings").Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// fillUp leaves no room on the disk of a folder.
func fillUp(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "..", "rest"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 1 << 20 {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return
		}
	}
	t.Fatal("the disk has no end")
}

func TestAFullDiskLeavesNoTornFileInTheModule(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	s.onDisk(t, "256k")
	id := s.found(t)
	if code, output := s.gnaw(t, s.dir, "known", "add", id, "-reason=the first one"); code != 0 {
		t.Fatalf("known add: exit code %d\n%s", code, output)
	}
	list := filepath.Join(s.dir, ".gnaw", "known.toml")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	// What is written does not fit into the last page of the file.
	padded := string(text) + strings.Repeat("#\n", (4096-len(text)-100)/2)
	padded = strings.Replace(padded, id[:12], "0123456789ab", 1)
	writeFile(t, list, padded)
	fillUp(t, s.dir)
	before := glob(t, filepath.Join(s.dir, "b", "*"))
	for _, args := range [][]string{{"regress", id}, {"repro", id}, {"known", "add", id, "-reason=" + strings.Repeat("long ", 50)}} {
		code, output := s.gnaw(t, s.dir, args...)
		if code != 3 || !strings.Contains(output, "no space left on device") || !strings.Contains(output, "free some space") || strings.Count(output, "\n") != 1 {
			t.Errorf("gnaw %s: exit code %d, want one sentence about the disk\n%s", args[0], code, clip(output))
		}
	}
	if now, err := os.ReadFile(list); err != nil || string(now) != padded {
		t.Errorf("the list of known findings has changed, %v", err)
	}
	if after := glob(t, filepath.Join(s.dir, "b", "*")); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("the package has the files %q, want %q", after, before)
	}
	vet := exec.Command(filepath.Join(host.goroot, "bin", "go"), "vet", "./b")
	vet.Dir, vet.Env = s.dir, s.env
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

func TestARecordOfANewerGnawHidesNoOther(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	id := s.found(t)
	db, err := sql.Open("sqlite", s.history())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = db.Exec(`INSERT INTO findings SELECT module, '0123456789abcdef', last,
		replace(replace(record, id, '0123456789abcdef'), '"kind":"', '"kind":"newer ') FROM findings`)
	if err != nil {
		t.Fatal(err)
	}
	code, output := s.gnaw(t, s.dir, "findings")
	if code != 0 || strings.Count(output, "\n") != 2 || !strings.Contains(output, id[:4]) || !strings.Contains(output, `0123  `) ||
		!strings.Contains(output, `unreadable: kind "newer panic"`) {
		t.Errorf("findings: exit code %d\n%s", code, output)
	}
	for _, tt := range []struct {
		command string
		code    int
		want    string
	}{
		{"show", 0, `another version of gnaw wrote this, and this one cannot read kind "newer panic"`},
		{"repro", 3, `another version of gnaw wrote 0123, and this one cannot read kind "newer panic"`},
		{"regress", 3, "install that gnaw"},
		{"minimize", 3, "install that gnaw"},
		{"bisect", 3, "install that gnaw"},
	} {
		if code, output := s.gnaw(t, s.dir, tt.command, "0123456789abcdef"); code != tt.code || !strings.Contains(output, tt.want) {
			t.Errorf("%s: exit code %d, want %d and %q\n%s", tt.command, code, tt.code, tt.want, output)
		}
	}
	if code, output := s.gnaw(t, s.dir, "repro", id); code != 1 {
		t.Errorf("repro of the other one: exit code %d\n%s", code, output)
	}
}

func TestCleanLeavesARunningCampaignItsFiles(t *testing.T) {
	t.Parallel()
	leaveOut(t)
	s := newScene(t)
	// What is below these links is of all tests.
	for _, name := range []string{"overlay", "std"} {
		if err := os.Remove(filepath.Join(s.world.gnaws, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := s.fuzz(t, "-fuzztime=60s")
	r.waitFor(t, `"event":"start"`, "")
	code, output := s.gnaw(t, s.dir, "clean")
	if code != 0 || !strings.Contains(output, "that a running gnaw uses") {
		t.Errorf("clean: exit code %d\n%s", code, output)
	}
	if binaries := glob(t, filepath.Join(s.world.gnaws, "run", "*", "bin", "*", "*.test")); len(binaries) == 0 {
		t.Error("the test binaries are gone")
	}
	if code, output := s.gnaw(t, s.dir, "clean", "-history"); code != 3 || !strings.Contains(output, "a gnaw is running that writes to it") {
		t.Errorf("clean -history: exit code %d\n%s", code, output)
	}
	s.fail(t)
	r.waitFor(t, `"event":"finding"`, "")
	if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	s.end(t, r, 1)
	if code, output = s.gnaw(t, s.dir, "clean"); code != 0 || strings.Contains(output, "running") {
		t.Errorf("clean after the campaign: exit code %d\n%s", code, output)
	}
	if left := glob(t, filepath.Join(s.world.gnaws, "run", "*")); len(left) > 0 {
		t.Errorf("clean after the campaign leaves %q", left)
	}
}
