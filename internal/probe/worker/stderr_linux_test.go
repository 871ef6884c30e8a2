//go:build linux && !loong64

package worker

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// stderrEnv has the test binary redirect its standard error to the file that it names, and then report as a worker that dies.
const stderrEnv = "WORKER_TEST_STDERR"

func init() {
	file := os.Getenv(stderrEnv)
	if file == "" {
		return
	}
	keepStderr()
	if f, err := os.Create(file); err == nil && file != os.DevNull {
		_ = syscall.Dup3(int(f.Fd()), syscall.Stderr, 0)
	} else {
		_ = syscall.Close(syscall.Stderr)
	}
	onDeath()
	onDeath()
	print("the stack\n")
	os.Exit(2)
}

func TestTheEndOfAProcessIsReadIfItsStandardErrorIsAnotherFile(t *testing.T) {
	for name, file := range map[string]string{"another file": filepath.Join(t.TempDir(), "log"), "closed": os.DevNull} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), stderrEnv+"="+file)
		var said textOf
		cmd.Stderr = &said
		_ = cmd.Run()
		if want := "\n" + redirectedHead + "\nthe stack\n"; string(said) != want {
			t.Errorf("%s: gnaw reads %q, want %q", name, said, want)
		}
	}
	if restoreStderr() {
		t.Error("the standard error of this process was another file")
	}
}

// textOf collects what a process prints.
type textOf []byte

func (b *textOf) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
