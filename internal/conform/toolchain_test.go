package conform

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A toolchain is one Go distribution and the fuzzing scripts in it.
type toolchain struct {
	Version string // without "go": "1.26.8"
	Root    string // its GOROOT
	Scripts []string
	CGO     bool // cgo works here: enabled, and a C compiler is there
	Race    bool
}

// scriptPatterns: Go 1.26 moved most of the scripts out of cmd/go's tests.
var scriptPatterns = []string{
	"src/cmd/internal/fuzztest/testdata/script/test_fuzz*.txt",
	"src/cmd/go/testdata/script/test_fuzz*.txt",
}

// findToolchains resolves a comma-separated list of versions such as "1.26.8,1.25"; "" is the toolchain in PATH.
func findToolchains(list string) ([]toolchain, error) {
	current, err := goEnv("", "GOVERSION")
	if err != nil {
		return nil, err
	}
	if list == "" {
		list = current
	}
	var found []toolchain
	for want := range strings.SplitSeq(list, ",") {
		version := fullVersion(strings.TrimSpace(want), current)
		tc, err := findToolchain(version)
		if err != nil {
			return nil, fmt.Errorf("find toolchain %s: %w", version, err)
		}
		found = append(found, tc)
	}
	return found, nil
}

// fullVersion completes a version as a user writes it: "1.26" is the current toolchain if that is a 1.26, else 1.26.0.
func fullVersion(want, current string) string {
	want = strings.TrimPrefix(want, "go")
	current = strings.TrimPrefix(current, "go")
	if want == current || strings.HasPrefix(current, want+".") {
		return current
	}
	if strings.Count(want, ".") == 1 {
		want += ".0"
	}
	return want
}

// findToolchain asks the go command for a version; it is fetched through the module proxy where it is missing.
func findToolchain(version string) (toolchain, error) {
	root, err := goEnv("go"+version, "GOROOT")
	if err != nil {
		return toolchain{}, err
	}
	tc := toolchain{Version: version, Root: root}
	for _, pattern := range scriptPatterns {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return toolchain{}, err
		}
		tc.Scripts = append(tc.Scripts, files...)
	}
	if len(tc.Scripts) == 0 {
		return toolchain{}, fmt.Errorf("no test_fuzz*.txt below %s: the distribution was installed without its tests", root)
	}
	cgo, err := goEnv("go"+version, "CGO_ENABLED")
	if err != nil {
		return toolchain{}, err
	}
	tc.CGO = cgo == "1" && hasCompiler()
	tc.Race = tc.CGO && raceSupported(runtime.GOOS, runtime.GOARCH)
	return tc, nil
}

// bin is the path of a command of the toolchain.
func (tc toolchain) bin(name string) string {
	return filepath.Join(tc.Root, "bin", name+exeSuffix())
}

// goEnv asks one variable of the go command in PATH, or of the toolchain given by name ("go1.25.0").
func goEnv(name, variable string) (string, error) {
	cmd := exec.Command("go", "env", variable)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GOROOT=") })
	if name != "" {
		cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+name)
	}
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("go env %s: %w\n%s", variable, err, exit.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", variable, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func hasCompiler() bool {
	for _, cc := range []string{os.Getenv("CC"), "gcc", "clang"} {
		if cc == "" {
			continue
		}
		if _, err := exec.LookPath(cc); err == nil {
			return true
		}
	}
	return false
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// The three below are the go command's tables for the conditions [fuzz], [fuzz-instrumented] and [race].

func fuzzSupported(goos string) bool {
	return slices.Contains([]string{"darwin", "freebsd", "linux", "openbsd", "windows"}, goos)
}

func fuzzInstrumented(goos, goarch string) bool {
	return fuzzSupported(goos) && slices.Contains([]string{"amd64", "arm64", "loong64"}, goarch)
}

func raceSupported(goos, goarch string) bool {
	switch goos {
	case "linux":
		return slices.Contains([]string{"amd64", "arm64", "loong64", "ppc64le", "riscv64", "s390x"}, goarch)
	case "darwin":
		return goarch == "amd64" || goarch == "arm64"
	case "freebsd", "netbsd", "windows":
		return goarch == "amd64"
	}
	return false
}
