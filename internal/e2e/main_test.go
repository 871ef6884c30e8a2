// Package e2e runs the gnaw command as users do: the real binary, real modules, real test processes.
//
// There is nothing to import here; it is all in the tests:
//
//   - TestScripts runs testdata/script/*.txtar at the root of the module, one behaviour of the command line each.
//   - TestMethodsOfT holds what a target can do with its *testing.T against the stock engine.
//   - TestNothingIsLost kills processes at random moments and looks at what is left.
//   - TestHostile lets targets do what targets should not do.
//   - campaign_test.go disturbs campaigns: kills, a full disk, a locked history, a second campaign, a changed repository.
//   - TestTheTerminalInterface runs a campaign in a terminal of tmux.
//   - TestTheDashboardInABrowser uses the pages of a campaign in chromium.
//   - TestPlanted wants a campaign to find each bug of testdata/planted once, and nothing else.
//
// Every test has a build cache of its own for the corpus, whose compiled packages are those of the user; see newCache.
// All processes of a test carry a mark in their environment, so that strays are found; see world.
//
//	go test ./internal/e2e            what takes some minutes
//	go test ./internal/e2e -short     a handful
//	go test ./internal/e2e -e2e.long  more rounds, more output, more scripts, the planted bugs, the targets of gnaw init
package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

var (
	flagLong = flag.Bool("e2e.long", false, "more rounds of killing and more output of hostile targets")
	flagRest = flag.Bool("e2e.rest", false, "with -e2e.long, leave out tests that do the same without it")
	flagGnaw = flag.String("e2e.gnaw", "", "path of the gnaw `binary` to test; empty: one is built from ./cmd/gnaw")
)

// leaveOut skips a test that does the same with and without -e2e.long, if -e2e.rest says so: a run without -e2e.long is complete.
func leaveOut(t *testing.T) {
	t.Helper()
	if *flagLong && *flagRest {
		t.Skip("does the same without -e2e.long")
	}
}

// maxParallel is how many tests run at once: each starts several processes, and some are about time.
const maxParallel = 2

// host is what the tests find on this machine, and what TestMain made.
var host struct {
	gnaw   string // the command under test
	goroot string
	cache  string // build cache of the user
	home   string // HOME of all tests
}

func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f != nil && f.Value.(flag.Getter).Get().(int) > maxParallel {
		_ = f.Value.Set(fmt.Sprint(maxParallel))
	}
	os.Exit(prepared(m.Run))
}

// prepared builds gnaw and runs the tests.
//
// The directory of gnaw has a name as the go command gives to its temporary ones. That keeps gnaw from writing its path
// into the sources it injects, so the go command's cache serves every run of these tests.
func prepared(run func() int) int {
	dir, err := os.MkdirTemp("", "go-build-gnaw-e2e-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	host.gnaw, host.home = filepath.Join(dir, "bin", "gnaw"+exeSuffix()), filepath.Join(dir, "home")
	err = errors.Join(os.Mkdir(host.home, 0o777), obtainGnaw())
	if out, envErr := exec.Command("go", "env", "GOROOT", "GOCACHE").Output(); envErr == nil {
		host.goroot, host.cache, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	} else {
		err = errors.Join(err, envErr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	if err := warmUp(filepath.Join(dir, "warm")); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return run()
}

// warmUp has gnaw build something at dir, so that no test waits for the standard library with its hooks, or is told
// about it.
func warmUp(dir string) error {
	w, err := newWorld(dir)
	if err != nil {
		return err
	}
	text := "package warm\n\nimport \"testing\"\n\nfunc FuzzWarm(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }\n"
	err = errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/warm\n\ngo 1.24\n"), 0o666),
		os.WriteFile(filepath.Join(dir, "warm_test.go"), []byte(text), 0o666))
	if err != nil {
		return err
	}
	ways := [][]string{{}}
	if hasRace() {
		ways = append(ways, []string{"-race"})
	}
	for _, flags := range ways {
		cmd := exec.Command(host.gnaw, append([]string{"test", "-c", "-fuzz=.", "-o", os.DevNull}, flags...)...)
		cmd.Dir, cmd.Env = dir, w.environ()
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build with hooks: %w\n%s", err, out)
		}
	}
	return nil
}

// obtainGnaw puts the command under test in its place.
func obtainGnaw() error {
	if *flagGnaw != "" {
		return copyFile(host.gnaw, *flagGnaw)
	}
	return testkit.BuildGnaw(host.gnaw)
}

// copyFile copies a program.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o777)
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// markEnv is the variable that marks the processes of a test.
const markEnv = "GNAW_E2E"

// world is the surroundings of one test: a directory, a build cache, an environment.
type world struct {
	dir   string // holds everything else
	cache string // of the go command
	gnaws string // what gnaw has in the user's cache directory
	temp  string
}

// depend makes the result of each test depend on all files that gnaw is built from.
var depend = sync.OnceFunc(func() { testkit.Depend("../..") })

// newWorld makes the surroundings of a test below dir. Tests call depend too: what is done before m.Run does not count.
func newWorld(dir string) (*world, error) {
	w := &world{
		dir: dir, cache: filepath.Join(dir, ".cache"), gnaws: filepath.Join(dir, ".xdg", "gnaw"), temp: filepath.Join(dir, ".tmp"),
	}
	if err := os.MkdirAll(w.temp, 0o777); err != nil {
		return nil, err
	}
	if err := newHistory(w.gnaws); err != nil {
		return nil, err
	}
	return w, newCache(w.cache)
}

// newCache makes a build cache at dir. Its shards are links to those of the user's cache, so nothing is compiled anew,
// but it has a corpus of its own, which the go command keeps beside them.
func newCache(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i := range 256 {
		shard := fmt.Sprintf("%02x", i)
		if err := os.Symlink(filepath.Join(host.cache, shard), filepath.Join(dir, shard)); err != nil {
			return err
		}
	}
	// The go command looks for old files to remove when this date is a day ago.
	return os.WriteFile(filepath.Join(dir, "trim.txt"), fmt.Appendf(nil, "%d", time.Now().Unix()), 0o666)
}

// newHistory makes a folder of gnaw's at dir with a history of its own. What gnaw has built is that of all tests.
func newHistory(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"overlay", "std"} {
		built := filepath.Join(host.home, "cache", "gnaw", name)
		if err := os.MkdirAll(built, 0o777); err != nil {
			return err
		}
		if err := os.Symlink(built, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// vars are the variables that make the environment of the test, by name.
func (w *world) vars() [][2]string {
	path := strings.Join([]string{
		filepath.Dir(host.gnaw), filepath.Join(host.goroot, "bin"), os.Getenv("PATH"),
	}, string(filepath.ListSeparator))
	return [][2]string{
		{"PATH", path},
		{"HOME", host.home},
		{"USERPROFILE", host.home},
		{"XDG_CACHE_HOME", filepath.Dir(w.gnaws)},
		{"TMPDIR", w.temp},
		{"TMP", w.temp},
		{"GOCACHE", w.cache},
		{"GOPATH", filepath.Join(host.home, "go")},
		{"GOTOOLCHAIN", "local"},
		{"GOENV", "off"},
		{"GOFLAGS", ""},
		{"GOWORK", ""},
		{"GOPROXY", "off"},
		{"GODEBUG", ""},
		{"GNAW", ""},
		{"GNAW_NOTIFY", ""},
		{"GNAW_HTTP_TOKEN", ""},
		{"CI", ""},             // gnaw draws no terminal interface with it
		{"GITHUB_ACTIONS", ""}, // it writes commands to the log
		{"NO_COLOR", ""},
		{markEnv, w.dir},
	}
}

// environ is the environment of the test with more variables, written as name=value.
func (w *world) environ(more ...string) []string {
	env := os.Environ()
	for _, v := range w.vars() {
		env = append(env, v[0]+"="+v[1])
	}
	return append(env, more...)
}

// module makes a world with a copy of a module in testdata, and returns the directory of the copy.
func module(t *testing.T, name string) (w *world, dir string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	depend()
	if w, err = newWorld(root); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.killAll() })
	dir = filepath.Join(root, name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	return w, dir
}

// compile builds the test binary of the module in dir with a tool that knows `test -c`.
func (w *world) compile(t *testing.T, tool, dir, out string) {
	t.Helper()
	cmd := exec.Command(tool, "test", "-c", "-vet=off", "-fuzz=.", "-o", out)
	cmd.Dir, cmd.Env = dir, w.environ()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, said)
	}
}

// targets lists the fuzz targets of a test binary.
func (w *world) targets(t *testing.T, binary string) []string {
	t.Helper()
	cmd := exec.Command(binary, "-test.list=^Fuzz")
	cmd.Env = w.environ()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list the targets of %s: %v", binary, err)
	}
	names := strings.Fields(string(out))
	slices.Sort(names)
	return names
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// clip shortens what is too long to read.
func clip(s string) string {
	const most = 4000
	if len(s) > most {
		return s[:most/2] + "\n[…]\n" + s[len(s)-most/2:]
	}
	return s
}
