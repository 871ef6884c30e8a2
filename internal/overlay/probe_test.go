package overlay

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestInjectedFiles(t *testing.T) {
	out, err := pretender(pretend).files()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"internal/coverage/cfile/gnaw.go",
		"internal/fuzz/gnaw.go",
		"internal/fuzz/gnaw/input/input.go",
		"internal/fuzz/gnaw/probe/compare/compare.go",
		"internal/fuzz/gnaw/probe/host/host.go",
		"internal/fuzz/gnaw/probe/shm/fast_amd64.go",
		"internal/fuzz/gnaw/probe/shm/shm_linux.go",
		"internal/fuzz/gnaw/probe/shm/shm_other.go",
		"internal/fuzz/gnaw/probe/shm/slow.go",
		"internal/fuzz/gnaw/probe/worker/loop.go",
		"internal/fuzz/gnaw_probe_shm_fast_amd64.go",
		"internal/fuzz/gnaw_probe_shm_fast_amd64.s",
		"testing/gnaw.go",
		"testing/internal/testdeps/gnaw.go",
	}
	if got := slices.Sorted(maps.Keys(out)); !slices.Equal(got, want) {
		t.Errorf("files = %q, want %q", got, want)
	}
	testkit.Contains(t, "loop.go", string(out["internal/fuzz/gnaw/probe/worker/loop.go"]),
		"\t\"internal/fuzz/gnaw/input\"\n\talias \"internal/fuzz/gnaw/probe/shm\"\n")
	for name, text := range out {
		if strings.Contains(string(text), modulePath) {
			t.Errorf("%s still names %s", name, modulePath)
		}
	}
}

func TestInjectedFilesErrors(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"import of a third-party package", `"github.com/gnaw-fuzz/gnaw/internal/probe/worker"`, `"example.com/x"`, "example.com/x"},
		{"import of cgo", `"github.com/gnaw-fuzz/gnaw/internal/probe/worker"`, `"C"`, "imports C"},
		{"import of a package in no tree", "gnaw/internal/probe/worker", "gnaw/internal/campaign", "internal/campaign"},
		{"syntax error", "package worker", "package", "loop.go"},
		{"assembly with a type of its own", "func sum(p *byte, ", "func sum(p *Own, ", "predeclared"},
		{"missing addition", "-- inject/fuzz.go.txt --", "-- inject/other.txt --", "fuzz.go.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := pretender(strings.Replace(pretend, tt.old, tt.new, 1)).files()
			if err == nil {
				t.Fatal("no error")
			}
			testkit.Contains(t, "error", err.Error(), tt.want, "error in gnaw")
		})
	}
}

// TestInjectedAssembly: the folder of an injected package does not exist, and an assembler cannot run there.
func TestInjectedAssembly(t *testing.T) {
	text := strings.Replace(pretend, "-- probe/shm/fast_amd64.go --\n", "-- probe/shm/fast_amd64.go --\n//go:build !purego\n\n", 1)
	out, err := pretender(text).files()
	if err != nil {
		t.Fatal(err)
	}
	testkit.Contains(t, "assembly", string(out["internal/fuzz/gnaw_probe_shm_fast_amd64.s"]),
		"\nTEXT internal∕fuzz∕gnaw∕probe∕shm·sum(SB), NOSPLIT, $0-24\n")
	testkit.Contains(t, "declarations", string(out["internal/fuzz/gnaw_probe_shm_fast_amd64.go"]),
		"//go:build !purego\n\npackage fuzz\n",
		"//go:linkname gnaw_fast_amd64_sum internal/fuzz/gnaw/probe/shm.sum\n"+
			"func gnaw_fast_amd64_sum(p *byte, n int) (total int)\n")
	testkit.Contains(t, "package", string(out["internal/fuzz/gnaw/probe/shm/fast_amd64.go"]),
		"package shm; import _ \"unsafe\"\n", "\n//go:linkname sum\n")
}

func TestProtocolNamesTheSource(t *testing.T) {
	base := pretender(pretend).protocol()
	if again := pretender(pretend).protocol(); again != base {
		t.Errorf("protocol = %s, then %s", base, again)
	}
	for what, text := range map[string]string{
		"probe":    strings.Replace(pretend, "package worker\n", "package worker\n\n// More.\n", 1),
		"input":    strings.Replace(pretend, "unto itself", "unto us", 1),
		"addition": strings.Replace(pretend, "len(coverage())", "cap(coverage())", 1),
	} {
		if got := pretender(text).protocol(); got == base {
			t.Errorf("a change of %s leaves the protocol as it was", what)
		}
	}
	if got := pretender(strings.Replace(pretend, "example.com/not/std", "example.com/other", 1)).protocol(); got != base {
		t.Errorf("a change of a test changes the protocol")
	}
	if Protocol() == "" || Protocol() != own.protocol() {
		t.Errorf("Protocol() = %q, want %q", Protocol(), own.protocol())
	}
}

// TestOwnClosure holds what gnaw injects to the standard library and the trees: files reports every other import.
func TestOwnClosure(t *testing.T) {
	out, err := own.files()
	if err != nil {
		t.Fatal(err)
	}
	for _, must := range []string{comparePackage, hostPackage, "internal/probe/worker", "input"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(out)), func(name string) bool {
			return strings.HasPrefix(name, injectedPath(must)+"/")
		}) {
			t.Errorf("package %s is not injected", must)
		}
	}
}
