package e2e

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
)

// Rounds of TestNothingIsLost.
const (
	killRounds     = 10
	killRoundsLong = 50
)

// A victim is a process of a run that is killed. They take turns.
type victim struct {
	name   string
	is     func(process) bool
	byGo   bool          // the run is started by the go command
	within time.Duration // the moment is drawn from this time after the start
}

var victims = []victim{
	{"worker", process.isWorker, false, 500 * time.Millisecond},
	{"coordinator", process.isCoordinator, false, 500 * time.Millisecond},
	{"test process", process.isTest, false, 500 * time.Millisecond},
	{"go command", process.isGo, true, 1500 * time.Millisecond},
	{"coordinator below go", process.isCoordinator, true, 1500 * time.Millisecond},
}

// announced are the lines by which a run says that a file was written.
var announced = regexp.MustCompile(`(?m)(?:new interesting input, file: ([^,\n]+), |Failing input written to (\S+)\n)`)

// TestNothingIsLost kills processes at random moments, while new entries and failures come in. Each file that was
// announced must be there and complete, nothing torn may be seen by others, and no process and no temporary directory
// may be left.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the processes of a run are found by /proc")
	}
	rounds := killRounds
	if *flagLong {
		rounds = killRoundsLong
	}
	if testing.Short() {
		rounds = 2
	}
	w, dir := module(t, "growing")
	k := &killing{world: w, dir: dir, binary: filepath.Join(w.dir, "growing.test"), random: rand.New(rand.NewPCG(1, 2))}
	w.compile(t, host.gnaw, dir, k.binary)
	for i := range rounds {
		k.round(t, victims[i%len(victims)], []string{"FuzzGrow", "FuzzFail"}[i/len(victims)%2])
		if t.Failed() {
			t.Fatalf("in round %d", i)
		}
		if i%len(victims) == len(victims)-1 { // so that there is something new to find
			if err := os.RemoveAll(filepath.Join(w.cache, "fuzz")); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d rounds: %d killed, %d entries and %d failing inputs were announced", rounds, k.killed, k.entries, k.failures)
	if k.killed < rounds/2 || k.entries < rounds {
		t.Errorf("too little happened to tell anything")
	}
	k.wantSwept(t)
}

// killing is the state of TestNothingIsLost.
type killing struct {
	*world
	dir, binary               string
	random                    *rand.Rand
	killed, entries, failures int
}

// round starts a run, kills a process of it, waits for the end of all, and looks at what is left.
func (k *killing) round(t *testing.T, v victim, target string) {
	t.Helper()
	name, args := k.binary, []string{
		"-test.run=^$", "-test.fuzz=^" + target + "$", "-test.fuzztime=2s", "-test.parallel=2",
		"-test.fuzzcachedir=" + filepath.Join(k.cache, "fuzz", "example.com", "growing"),
	}
	if v.byGo {
		name, args = host.gnaw, []string{"test", "-run=^$", "-fuzz=^" + target + "$", "-fuzztime=2s", "-parallel=2", "-vet=off"}
	}
	r := k.start(t, k.dir, k.environ("GODEBUG=fuzzdebug=1"), name, args...)
	moment := time.After(time.Duration(k.random.Int64N(int64(v.within))))
	select {
	case <-moment:
	case <-r.done:
	}
	how := "it was not running"
	for _, p := range k.processes() {
		if v.is(p) {
			if p, err := os.FindProcess(p.pid); err == nil && p.Kill() == nil {
				k.killed++
				how = "killed"
			}
			break
		}
	}
	_, _ = r.wait(t, patience)
	k.wantNoProcess(t)
	k.check(t, r.read(t))
	if t.Failed() {
		t.Logf("%s, %s: %s\n%s", target, v.name, how, r.read(t))
	}
	if err := os.RemoveAll(filepath.Join(k.dir, "testdata")); err != nil {
		t.Fatal(err)
	}
}

// check compares the files with what the output says.
func (k *killing) check(t *testing.T, output string) {
	t.Helper()
	for _, m := range announced.FindAllStringSubmatch(output[:strings.LastIndex(output, "\n")+1], -1) {
		path := m[1] + m[2]
		if m[2] != "" {
			path = filepath.Join(k.dir, path)
			k.failures++
		} else {
			k.entries++
		}
		if _, err := corpus.Read(path, corpus.GoTest([]input.Kind{input.Bytes})); err != nil {
			t.Errorf("an announced file: %v", err)
		}
	}
	for _, dir := range k.stores() {
		k.checkStore(t, dir)
	}
}

// stores are the directories that inputs are written to.
func (k *killing) stores() (dirs []string) {
	for _, root := range []string{filepath.Join(k.cache, "fuzz"), filepath.Join(k.dir, "testdata")} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), "Fuzz") {
				dirs = append(dirs, path)
			}
			return nil // what does not exist has no stores
		})
	}
	return dirs
}

// checkStore checks that each file of a store is whole: that is what others see, at any time.
func (k *killing) checkStore(t *testing.T, dir string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Error(err)
		} else if _, err := input.Unmarshal(text); err != nil || corpus.Name(text) != f.Name() {
			t.Errorf("%s is torn (%v): %q", filepath.Join(dir, f.Name()), err, text)
		}
	}
}

// wantSwept makes what the killed runs have left look old, runs each target once more, and wants it to be gone.
func (k *killing) wantSwept(t *testing.T) {
	t.Helper()
	stores := k.stores()
	for _, target := range []string{"FuzzGrow", "FuzzFail"} {
		stores = append(stores, filepath.Join(k.dir, "testdata", "fuzz", target))
	}
	for _, dir := range stores { // one at least in each, as if killed while it was written
		writeFile(t, filepath.Join(dir, ".gnaw-left", "entry"), "go test fuzz v1\n[]byte(")
	}
	old := time.Now().Add(-time.Hour)
	for _, path := range k.leftOvers(t) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{"FuzzGrow", "FuzzFail"} {
		cmd := exec.Command(k.binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime=100000x", "-test.parallel=1",
			"-test.fuzzcachedir="+filepath.Join(k.cache, "fuzz", "example.com", "growing"))
		cmd.Dir, cmd.Env = k.dir, k.environ()
		_, _ = cmd.CombinedOutput() // FuzzFail may fail
	}
	if left := k.leftOvers(t); len(left) > 0 {
		t.Errorf("temporary directories are left: %q", left)
	}
	list, err := os.ReadDir(k.temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !strings.HasPrefix(f.Name(), "go-build") { // of a go command that was killed
			t.Errorf("%s is left in the directory for temporary files", f.Name())
		}
	}
}

// leftOvers finds the temporary directories in the stores.
func (k *killing) leftOvers(t *testing.T) (found []string) {
	t.Helper()
	for _, dir := range k.stores() {
		paths, err := filepath.Glob(filepath.Join(dir, ".gnaw-*"))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, paths...)
	}
	return found
}
