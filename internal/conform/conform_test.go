package conform

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

var (
	flagTool    = flag.String("conform.tool", "gnaw", "what runs `go test` lines: gnaw (built from ./cmd/gnaw), go (the stock toolchain), or the path of a gnaw binary")
	flagGo      = flag.String("conform.go", "", "comma-separated Go `versions` whose scripts run; empty: the current toolchain")
	flagAll     = flag.Bool("conform.all", false, "run the slow scripts too")
	flagTimeout = flag.Duration("conform.timeout", 3*time.Minute, "limit for one script")
	flagTable   = flag.String("conform.table", "", "also write the table of results to this `file`")
)

// slow are the scripts that the default run leaves out: each of the others takes at most a few seconds on two cores.
var slow = []string{
	"test_fuzz",
	"test_fuzz_cache",
	"test_fuzz_cov",
	"test_fuzz_deadline",
	"test_fuzz_fuzztime", // skips itself as of Go 1.26
	"test_fuzz_io_error",
	"test_fuzz_match",
	"test_fuzz_minimize",
	"test_fuzz_minimize_dirty_cov",
	"test_fuzz_minimize_interesting",
	"test_fuzz_modcache",
	"test_fuzz_mutate_crash",
	"test_fuzz_mutate_fail",
	"test_fuzz_run",
	"test_fuzz_seed_corpus",
	"test_fuzz_test_race",
}

// tool is the program that stands in for `go test`; "" is go itself. TestMain sets it.
var tool string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withTool(m.Run))
}

// withTool builds gnaw where that is needed, and runs the tests.
func withTool(run func() int) int {
	switch *flagTool {
	case "go":
		return run()
	case "gnaw":
	default:
		path, err := filepath.Abs(*flagTool)
		if err != nil {
			fmt.Fprintln(os.Stderr, "conform:", err)
			return 1
		}
		tool = path
		return run()
	}
	if testing.Short() {
		return run()
	}
	dir, err := os.MkdirTemp("", "gnaw-conform-bin")
	if err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	tool = filepath.Join(dir, "gnaw"+exeSuffix())
	if err := testkit.BuildGnaw(tool); err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		return 1
	}
	return run()
}

// TestScripts runs the scripts; its sub-tests are named version/script. The versions run beside each other (-parallel), because scripts
// wait more than they compute; the scripts of a version run one after the other, because some are about time.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("every script builds test binaries and fuzzes for seconds")
	}
	testkit.Depend("../..")
	toolchains, err := findToolchains(*flagGo)
	if err != nil {
		t.Fatal(err)
	}
	results := &table{}
	t.Cleanup(func() {
		t.Logf("tool: %s\n%s", *flagTool, results)
		if *flagTable != "" {
			if err := os.WriteFile(*flagTable, []byte(results.String()), 0o666); err != nil {
				t.Error(err)
			}
		}
	})
	for _, tc := range toolchains {
		t.Run(tc.Version, func(t *testing.T) {
			t.Parallel()
			runScripts(t, tc, results)
		})
	}
}

// runScripts runs the selected scripts of one toolchain.
func runScripts(t *testing.T, tc toolchain, results *table) {
	b := &bridge{tc: tc, tool: tool, limit: *flagTimeout, home: t.TempDir(), caches: t.TempDir()}
	var err error
	if b.warm, err = warmDir(tc.Version); err != nil {
		t.Fatal(err)
	}
	if err := b.warmUp(t.Logf); err != nil {
		t.Fatal(err)
	}
	b.proxyURL = goproxytest.NewTestServer(t, fuzzModules(t, tc), "").URL
	for _, script := range tc.Scripts {
		if !*flagAll && slices.Contains(slow, scriptName(script)) {
			continue
		}
		results.expect(tc.Version, scriptName(script))
		testscript.RunT(&scriptT{T: t, version: tc.Version, results: results}, testscript.Params{
			Files:     []string{script},
			Deadline:  time.Now().Add(*flagTimeout),
			Setup:     func(env *testscript.Env) error { return b.setup(env, script) },
			Condition: b.condition,
			Cmds:      b.commands(),
		})
	}
}

// fuzzModules is a directory with those of the modules for cmd/go's tests that its fuzzing scripts download; among the
// others are names that are malformed on purpose, which goproxytest refuses.
func fuzzModules(t *testing.T, tc toolchain) string {
	files, err := filepath.Glob(filepath.Join(tc.Root, "src", "cmd", "go", "testdata", "mod", "*fuzz*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func scriptName(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txt") }
