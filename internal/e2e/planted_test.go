package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// plantedDir is the module with the planted bugs; its README says what is in it.
const plantedDir = "../../testdata/planted"

// Times of the campaigns of TestPlanted.
const (
	plantedTime      = "8m"
	plantedTimeAgain = "5m" // the inputs of known findings are no seeds, so it has to find those again
	plantedPatience  = 14 * time.Minute
)

// planted is one bug of the list.
type planted struct {
	number  string
	kind    string
	targets []string
	least   []string // the smallest inputs: "bytes=N", "any", or literals, one for each target that differs
	file    string   // relative to the module, with slashes
	line    int
}

// bug is a finding as the campaign tells it.
type bug struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Target   string `json:"target"`
	Message  string `json:"message"`
	Flaky    bool   `json:"flaky"`
	Size     int    `json:"size"`
	Literals []string
	Frames   []struct {
		File string
		Line int
	}
	Known *struct{ Reason string } `json:"known"`
}

func (b bug) String() string {
	kind := b.Kind
	if b.Flaky {
		kind += " (flaky)"
	}
	return fmt.Sprintf("%s: %s of %s: %s with %s", b.ID[:4], kind, b.Target, b.Message, strings.Join(b.Literals, "; "))
}

// readPlanted reads the list of the bugs, and where they are.
func readPlanted(t *testing.T, dir string) (list []planted) {
	t.Helper()
	marks := map[string]planted{}
	mark := regexp.MustCompile(`bug (\d\d)`)
	for _, file := range glob(t, filepath.Join(dir, "*", "*.go")) {
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(readFile(t, file), "\n") {
			for _, m := range mark.FindAllStringSubmatch(line, -1) {
				marks[m[1]] = planted{file: filepath.ToSlash(rel), line: i + 1}
			}
		}
	}
	for line := range strings.Lines(readFile(t, filepath.Join(dir, "bugs.txt"))) {
		f := strings.Fields(line)
		p, ok := marks[f[0]]
		if !ok {
			t.Fatalf("no line is marked as bug %s", f[0])
		}
		_, least, _ := strings.Cut(line, f[2])
		p.number, p.kind, p.targets, p.least = f[0], f[1], strings.Split(f[2], ","), strings.Split(strings.TrimSpace(least), ",")
		list = append(list, p)
	}
	return list
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// placeless are kinds of failures that have no place of their own: there the target tells which bug it is.
var placeless = []string{"exit", "hang", "memory", "goexit", "keep"}

// is reports whether b may be the bug: its place, or its target if a failure of that kind has no place of its own. What is
// flaky is no bug, of whatever kind it is, and the other way round.
func (p planted) is(b bug) bool {
	if b.Flaky != (p.kind == "flaky") || !slices.Contains(p.targets, b.Target) {
		return false
	}
	if b.Kind != p.kind && !b.Flaky {
		return false
	}
	if slices.Contains(placeless, p.kind) {
		return true
	}
	for _, f := range b.Frames {
		if f.File == p.file && f.Line == p.line {
			return true
		}
	}
	return false
}

// isLeast reports whether b has the smallest input of the bug. "any" is for inputs that pass when they are executed once:
// they are made smaller no further than an oracle can look in a few seconds, or not at all.
func (p planted) isLeast(b bug) bool {
	return slices.ContainsFunc(p.least, func(want string) bool {
		if want == "any" {
			return true
		}
		var n int
		if _, err := fmt.Sscanf(want, "bytes=%d", &n); err == nil {
			return b.Size == n
		}
		return strings.Join(b.Literals, ";") == want
	})
}

// compare wants each bug of the list to be found once, with its smallest input, and nothing else.
func compare(t *testing.T, list []planted, found []bug) {
	t.Helper()
	left := slices.Clone(found)
	for _, p := range list {
		i := slices.IndexFunc(left, func(b bug) bool { return p.is(b) && p.isLeast(b) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		i = slices.IndexFunc(left, p.is)
		if i < 0 {
			t.Errorf("bug %s (%s of %s) was not found", p.number, p.kind, p.targets)
			continue
		}
		t.Errorf("bug %s was not minimized to %q: %v", p.number, p.least, left[i])
		left = slices.Delete(left, i, i+1)
	}
	for _, b := range left {
		t.Errorf("this is no bug of the list, or found twice: %v", b)
	}
}

// bugsOf reads the findings that a campaign has told.
func bugsOf(t *testing.T, output string) (found, known []bug) {
	t.Helper()
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, `{"event":"finding"`) {
			continue
		}
		var b bug
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatal(err)
		}
		if b.Known != nil {
			known = append(known, b)
		} else {
			found = append(found, b)
		}
	}
	return found, known
}

// TestPlanted has a campaign find bugs that were planted, lists half of them as known, and has another one find the rest.
func TestPlanted(t *testing.T) {
	if !*flagLong {
		t.Skip("takes nine minutes; -e2e.long runs it")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	depend()
	w, err := newWorld(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.killAll)
	dir := filepath.Join(root, "planted")
	if err := os.CopyFS(dir, os.DirFS(plantedDir)); err != nil {
		t.Fatal(err)
	}
	list := readPlanted(t, dir)
	flags := append([]string{"fuzz", "-json", "-parallel=2"}, strings.Fields(readFile(t, filepath.Join(dir, "flags.txt")))...)
	if !hasRace() {
		flags = slices.DeleteFunc(flags, func(flag string) bool { return flag == "-race" })
		list = slices.DeleteFunc(list, func(p planted) bool { return p.kind == "race" })
	}
	env := w.environ()

	code, output := w.start(t, dir, env, host.gnaw, append(flags, "-fuzztime="+plantedTime)...).wait(t, plantedPatience)
	first, known := bugsOf(t, output)
	if code != 1 || len(known) > 0 {
		t.Errorf("exit code %d, want 1, and known are %v", code, known)
	}
	t.Logf("%d findings", len(first))
	compare(t, list, first)
	if t.Failed() {
		t.Fatalf("what else it said:\n%s", without(output, `{"event":"finding"`, `{"event":"status"`))
	}

	for i, b := range first {
		if i%2 == 0 {
			args := []string{"known", "add", b.ID, "-reason", "planted"}
			if code, output := w.start(t, dir, env, host.gnaw, args...).wait(t, patience); code != 0 {
				t.Fatalf("gnaw %q exits with %d:\n%s", args, code, output)
			}
		}
	}
	_, output = w.start(t, dir, env, host.gnaw, append(flags, "-fuzztime="+plantedTimeAgain)...).wait(t, plantedPatience)
	second, known := bugsOf(t, output)
	for i, b := range first {
		same := func(other bug) bool { return other.ID == b.ID }
		if isKnown := slices.ContainsFunc(known, same); isKnown != (i%2 == 0) {
			t.Errorf("in the second campaign, %v is known: %v, want %v", b, isKnown, i%2 == 0)
		}
		if isNew := slices.ContainsFunc(second, same); isNew != (i%2 == 1) {
			t.Errorf("in the second campaign, %v is reported: %v, want %v", b, isNew, i%2 == 1)
		}
	}
	if len(second)+len(known) != len(first) {
		t.Errorf("the second campaign tells %d findings and %d known ones, want %d in all:\n%v\n%v", len(second), len(known), len(first), second, known)
	}
}

// without returns the lines that begin with none of these.
func without(output string, prefixes ...string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) }) {
			b.WriteString(line)
		}
	}
	return b.String()
}
