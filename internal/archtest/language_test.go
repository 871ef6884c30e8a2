package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// oldestGo is the go line of the oldest module whose targets gnaw can fuzz, whatever gnaw's own go.mod says.
const oldestGo = "1.24.0"

func TestInjectedPackagesKeepToTheOldestGo(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			if testing.Short() && system != runtime.GOOS {
				t.Skip("compiles the standard library for another system")
			}
			if out, err := vetOldest(t, root, system, "./input", "./internal/minimize", "./internal/probe/..."); err != nil {
				t.Errorf("what is injected needs more than Go %s: %v\n%s", oldestGo, err, out)
			}
		})
	}
}

func TestNewerLanguageAndLibraryAreReported(t *testing.T) {
	for name, text := range map[string]string{
		"language": "package p\n\nvar p = new(1)\n",
		"library":  "package p\n\nimport \"sync\"\n\nfunc start(wg *sync.WaitGroup) { wg.Go(func() {}) }\n",
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, filepath.Join(folder, "go.mod"), "module example.com/p\n\ngo 1.26.0\n")
			write(t, filepath.Join(folder, "p.go"), text)
			if out, err := vetOldest(t, folder, runtime.GOOS, "."); err == nil || !strings.Contains(out, "p.go:") {
				t.Errorf("go vet accepts\n%s(%v) %s", text, err, out)
			}
		})
	}
}

// vetOldest type-checks packages of the module in folder, with their tests, as if its go.mod had the oldest go line: language and
// standard library must do.
func vetOldest(t *testing.T, folder, system string, packages ...string) (out string, err error) {
	t.Helper()
	modfile := filepath.Join(t.TempDir(), "go.mod")
	write(t, modfile, "module "+strings.TrimSuffix(module, "/")+"\n\ngo "+oldestGo+"\n")
	cmd := exec.Command("go", append([]string{"vet", "-modfile=" + modfile, "-stdversion"}, packages...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
