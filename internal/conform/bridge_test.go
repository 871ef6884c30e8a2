package conform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A bridge runs scripts written for the engine of the Go distribution (cmd/internal/script) in testscript.
//
// The two dialects are siblings. Quoting, comments, expansion, the implicit (?m) of patterns, and mkdir, rm, cp, cmp,
// env, exists, exec, wait, stop and skip mean the same in both; the bridge adds the `go` command, the prefix `?`, the
// conditions, the variables and the directories. What neither side knows, such as `go … &`, ends a script as failed,
// never as passed.
type bridge struct {
	tc       toolchain
	tool     string        // stands in for go in `go test`: the path of gnaw, or "" for go itself
	warm     string        // warmed build cache that fresh ones are filled from
	home     string        // HOME of all scripts of this run
	caches   string        // below it each script has a build cache, used until it sets its own
	limit    time.Duration // for one script
	proxyURL string        // serves the modules of cmd/go's tests
}

// setup gives a script the variables and directories its own runner would have given it.
func (b *bridge) setup(env *testscript.Env, script string) error {
	work := env.WorkDir
	stop := watch(work, b.limit)
	env.Defer(func() {
		if n := stop(); n > 0 {
			env.T().Log(fmt.Sprintf("ended %d processes that the script left behind", n))
		}
	})
	if err := b.adapt(work, script); err != nil {
		return err
	}
	temp := filepath.Join(work, "tmp")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return err
	}
	gopath, traceback := filepath.Join(b.home, "go"), "single"
	if strings.Contains(filepath.ToSlash(script), "/cmd/go/testdata/") {
		gopath, traceback = filepath.Join(work, "gopath"), "system"
		src := filepath.Join(gopath, "src")
		if err := moveFiles(work, src); err != nil {
			return err
		}
		env.Cd = src
	}
	for _, kv := range [][2]string{
		{"PATH", b.path()},
		{"HOME", b.home},
		{"USERPROFILE", b.home},
		{"TMPDIR", temp},
		{"TMP", temp},
		{"GOPATH", gopath},
		{"GOCACHE", filepath.Join(b.caches, strings.TrimSuffix(filepath.Base(script), ".txt"))},
		{"GOROOT", b.tc.Root},
		{"GOOS", runtime.GOOS},
		{"GOARCH", runtime.GOARCH},
		{"GOEXE", exeSuffix()},
		{"GOTRACEBACK", traceback},
		{"GOTOOLCHAIN", "local"},
		{"GOENV", "off"},
		{"GOFLAGS", ""},
		{"GOPROXY", b.proxyURL},
		{"GOSUMDB", "off"},
		{"CCACHE_DISABLE", "1"},
		{"goversion", b.tc.Version},
	} {
		env.Setenv(kv[0], kv[1])
	}
	return nil
}

// change is a change of a file of a script.
type change struct{ file, from, to string }

// differences are the scripts that exclude what gnaw does on purpose, and the changes with which they hold the rest against gnaw.
var differences = map[string][]change{
	// gnaw makes an input as small as possible, also empty. The stock engine stops at one byte.
	"test_fuzz_minimize_interesting": {
		{"fuzz_test.go", "return\n\t\t}\n\t\tt.Error(\"bad input\")", "return\n\t\t}\n\t\tif len(b) == 0 {\n\t\t\treturn\n\t\t}\n\t\tt.Error(\"bad input\")"},
		{"fuzz_test.go", "} else if len(b) == 1 {\n\t\t\tos.Exit(1)", "} else if len(b) <= 1 {\n\t\t\tos.Exit(1)"},
		{"check_testdata/check_testdata.go", "len(s) != wantLen", "len(s) > wantLen"},
	},
}

// adapt changes the files of a script below work.
func (b *bridge) adapt(work, script string) error {
	if b.tool == "" {
		return nil
	}
	for _, c := range differences[scriptName(script)] {
		path := filepath.Join(work, filepath.FromSlash(c.file))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Count(string(text), c.from) != 1 {
			return fmt.Errorf("%s of %s is not as in the list of differences", c.file, scriptName(script))
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// path has the toolchain first, and gnaw, which test binaries look for there.
func (b *bridge) path() string {
	dirs := []string{filepath.Join(b.tc.Root, "bin")}
	if b.tool != "" {
		dirs = append(dirs, filepath.Dir(b.tool))
	}
	return strings.Join(append(dirs, os.Getenv("PATH")), string(filepath.ListSeparator))
}

// moveFiles moves what a script brought along from work to dir, below work, leaving the temporary directories.
func moveFiles(work, dir string) error {
	entries, err := os.ReadDir(work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "tmp" && name != ".tmp" {
			if err := os.Rename(filepath.Join(work, name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// condition decides the conditions that testscript does not know itself.
func (b *bridge) condition(cond string) (bool, error) {
	name, suffix, _ := strings.Cut(cond, ":")
	switch name {
	case "GOOS":
		return suffix == runtime.GOOS, nil
	case "GOARCH":
		return suffix == runtime.GOARCH, nil
	case "compiler":
		return suffix == runtime.Compiler, nil
	case "fuzz":
		return fuzzSupported(runtime.GOOS), nil
	case "fuzz-instrumented":
		return fuzzInstrumented(runtime.GOOS, runtime.GOARCH), nil
	case "race":
		return b.tc.Race, nil
	case "cgo":
		return b.tc.CGO, nil
	case "root":
		return os.Geteuid() == 0, nil
	case "verbose", "cross":
		return false, nil
	}
	return false, fmt.Errorf("no such condition: %s", cond)
}

func (b *bridge) commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"go": func(ts *testscript.TestScript, neg bool, args []string) {
			err := b.run(ts, "go", args)
			if err == nil && neg {
				ts.Fatalf("unexpected command success")
			}
			if err != nil && !neg {
				ts.Fatalf("unexpected command failure: %v", err)
			}
		},
		"?": func(ts *testscript.TestScript, _ bool, args []string) {
			if len(args) == 0 || (args[0] != "go" && args[0] != "exec") {
				ts.Fatalf("unsupported: ? %s", strings.Join(args, " "))
			}
			if args[0] == "exec" {
				args = args[1:]
			}
			_ = b.run(ts, args[0], args[1:]) // either outcome will do
		},
	}
}

// isExtension reports whether the arguments contain both -coverprofile and -fuzz. go test does not accept the two flags together, and gnaw
// test does. The bridge runs go test with such arguments, because the scripts expect its error.
func isExtension(args []string) bool {
	has := func(prefix string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, prefix) })
	}
	return has("-fuzz=") && has("-coverprofile=")
}

// run executes a command, gnaw for `go test`. A script out of time fails here, whatever outcome it asked for.
func (b *bridge) run(ts *testscript.TestScript, name string, args []string) error {
	if slices.Contains(args, "&") {
		ts.Fatalf("unsupported: %s in the background", name)
	}
	if name == "go" {
		ts.Check(fillCache(ts.Getenv("GOCACHE"), b.warm))
		name = b.tc.bin("go")
		if b.tool != "" && len(args) > 0 && args[0] == "test" && !isExtension(args) {
			name = b.tool
		}
	}
	err := ts.Exec(name, args...)
	if err != nil {
		ts.Logf("[%v]", err)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		ts.Fatalf("out of time while running %s", filepath.Base(name))
	}
	return err
}
