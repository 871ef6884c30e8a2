package pack

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTheLauncherStartsWhatLiesBesideIt(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		t.Skip("it needs a C compiler on Linux")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "fuzzer")
	if err := compileLauncher(t.Context(), append(os.Environ(), "CC=cc -Wall", "CFLAGS=-Werror -O1"), file); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(file).CombinedOutput(); err == nil || !strings.Contains(string(out), "fuzzer.gnaw: No such file or directory; it lies beside") {
		t.Errorf("without the fuzzer: %v\n%s", err, out)
	}
	if err := os.WriteFile(file+Suffix, []byte("#!/bin/sh\necho \"got $1\"\nexit 77\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, "-runs=4")
	if out, _ := cmd.CombinedOutput(); string(out) != "got -runs=4\n" || cmd.ProcessState.ExitCode() != 77 {
		t.Errorf("it exits with %d and prints %q", cmd.ProcessState.ExitCode(), out)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "LLVMFuzzerTestOneInput") {
		t.Errorf("the name that checks look for is not in the file (%v)", err)
	}
	if list, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestALauncherThatCannotBeCompiledIsAnError(t *testing.T) {
	dir := t.TempDir()
	for env, want := range map[string]string{
		"CC= ": "-launcher needs a C compiler, but CC is blank", "CC=" + filepath.Join(dir, "none"): "compile the launcher with " + filepath.Join(dir, "none"),
	} {
		if err := compileLauncher(t.Context(), []string{env}, filepath.Join(dir, "fuzzer")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", env, err, want)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
