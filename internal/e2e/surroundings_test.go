//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processes makes a world with the module of that name, whose targets have to do with what surrounds their process.
func processes(t *testing.T) (w *world, dir, begun string) {
	t.Helper()
	t.Parallel()
	if !*flagLong {
		t.Skip("takes a minute: -e2e.long")
	}
	w, dir = module(t, "processes")
	return w, dir, filepath.Join(w.dir, "begun")
}

// wantNoInput fails the test if an input was written for a finding.
func wantNoInput(t *testing.T, dir, output string) {
	t.Helper()
	if left := glob(t, filepath.Join(dir, "testdata", "fuzz", "*", "*")); len(left) > 0 {
		t.Errorf("%q was written:\n%s", left, output)
	}
}

// A target fails by what stops gnaw: it runs a command, or listens for signals.
func TestAnInterruptIsNoFinding(t *testing.T) {
	w, dir, begun := processes(t)
	for _, target := range []string{"FuzzTool", "FuzzNotify"} {
		for _, args := range [][]string{{"test", "-run=^$", "-vet=off"}, {"fuzz", "-refuse=off"}} {
			t.Run(target+" "+args[0], func(t *testing.T) {
				code, output := w.interrupt(t, dir, 1, begun, append(args, "-fuzz=^"+target+"$", "-parallel=2")...)
				if args[0] == "fuzz" && code != 0 && code != notReached || strings.Contains(output, "FAIL") {
					t.Errorf("exit code %d:\n%s", code, output)
				}
				wantNoInput(t, dir, output)
			})
		}
	}
}

// A service manager sends its signal to all processes, those of the targets too.
func TestASignalToAllProcessesIsNoFinding(t *testing.T) {
	w, dir, begun := processes(t)
	r := w.start(t, dir, w.environ("BEGUN="+begun), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzNotify$", "-parallel=2")
	r.waitFor(t, " workers: ", begun)
	for _, p := range w.processes() {
		_ = syscall.Kill(p.pid, syscall.SIGTERM) // it may be gone
	}
	code, output := r.wait(t, patience)
	w.wantNoProcess(t)
	if code != 128+int(syscall.SIGTERM) && code != notReached { // the target had its seeds executed, or not
		t.Errorf("exit code %d:\n%s", code, output)
	}
	wantNoInput(t, dir, output)
}

// All is stopped for longer than one execution may take, as by a container that is paused.
func TestTimeInWhichAllStoodStillIsNoHang(t *testing.T) {
	w, dir, begun := processes(t)
	r := w.start(t, dir, w.environ("BEGUN="+begun), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzWork$", "-parallel=1", "-timeout=3s", "-fuzztime=14s")
	r.waitFor(t, " worker: ", begun)
	list := w.processes()
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		for _, p := range list {
			_ = syscall.Kill(p.pid, sig) // it may be gone
		}
		if sig == syscall.SIGSTOP {
			time.Sleep(7 * time.Second) // which is what is tested
		}
	}
	code, output := r.wait(t, 2*patience)
	w.wantNoProcess(t)
	if code != 0 || strings.Contains(output, "took longer than") {
		t.Errorf("exit code %d:\n%s", code, output)
	}
	wantNoInput(t, dir, output)
}

// Two hangs at different places are two, whatever signals the program catches.
func TestAHangOfAProgramThatCatchesSignalsHasItsPlace(t *testing.T) {
	w, dir, _ := processes(t)
	r := w.start(t, dir, w.environ("CATCH=1"), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzHang$", "-parallel=1", "-timeout=1s", "-fuzztime=100x")
	code, output := r.wait(t, 3*patience)
	w.wantNoProcess(t)
	if code != 1 || !strings.Contains(output, "in processes.first\n") || !strings.Contains(output, "in processes.second\n") {
		t.Errorf("exit code %d, want 1, and two places:\n%s", code, output)
	}
}

// gnaw is killed while a target has not got to F.Fuzz.
func TestAWorkerThatDoesNotGetToFuzzingEndsWithGnaw(t *testing.T) {
	w, dir, begun := processes(t)
	r := w.start(t, dir, w.environ("BLOCK=1", "BEGUN="+begun), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzTool$", "-parallel=1")
	r.waitFor(t, "", begun)
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = r.wait(t, patience)
	w.wantNoProcess(t)
}

// A target wants what only one process can have: it is fuzzed by one, and says why by no more.
func TestFuzzingGoesOnWithTheProcessesThatStart(t *testing.T) {
	w, dir, _ := processes(t)
	r := w.start(t, dir, w.environ("LOCK="+filepath.Join(w.dir, "lock")), host.gnaw, "fuzz", "-refuse=off", "-fuzz=^FuzzAlone$", "-parallel=2", "-fuzztime=3s")
	code, output := r.wait(t, patience)
	w.wantNoProcess(t)
	reasons := strings.Count(output, "start the environment: resource temporarily unavailable")
	if isChecked := strings.Contains(output, "fails while it is fuzzed, and passes alone"); isChecked {
		reasons-- // the run of plain go test beside the campaign has the same reason
	}
	if code != 0 || reasons != 1 || strings.Count(output, "continues with 1") != 1 {
		t.Errorf("the exit code is %d and the reason is printed %d times; want 0 and once for the worker:\n%s", code, reasons, output)
	}
}

// Targets that wait for their turn hold no files.
func TestManyTargetsNeedFewDescriptors(t *testing.T) {
	w, dir, _ := processes(t)
	const targets = 100
	text := "package many\n\nimport \"testing\"\n"
	for i := range targets {
		text += fmt.Sprintf("\nfunc Fuzz%d(f *testing.F) { f.Fuzz(func(*testing.T, string) {}) }\n", i)
	}
	writeFile(t, filepath.Join(dir, "many", "many_test.go"), text)
	r := w.start(t, dir, w.environ(), "sh", "-c", `ulimit -n 64; exec "$0" fuzz -parallel=1 -fuzztime=20x ./many`, host.gnaw)
	code, output := r.wait(t, 5*patience)
	w.wantNoProcess(t)
	if code != 0 || !strings.Contains(output, fmt.Sprintf("%d targets: 0 with a bug, 0 with a flaky failure, %d without a failure", targets, targets)) {
		t.Errorf("exit code %d, want 0, and all targets fuzzed:\n%s", code, clip(output))
	}
}

// Without a limit that follows the container, the system ends the process, or has it wait for memory for ever.
func TestAnInputThatNeedsMoreMemoryThanTheContainerHasIsAFinding(t *testing.T) {
	w, dir, _ := processes(t)
	group := memoryGroup(t, 600<<20)
	r := w.start(t, dir, w.environ(), "sh", "-c",
		`echo $$ > "$1" && exec "$0" fuzz -fuzz='^FuzzGreedy$' -parallel=2 -fuzztime=15s`, host.gnaw, filepath.Join(group, "cgroup.procs"))
	code, output := r.wait(t, 3*patience)
	w.wantNoProcess(t)
	if code != 1 || !strings.Contains(output, "memory: one execution needs more memory than -memlimit") {
		t.Errorf("exit code %d, want 1, and a finding:\n%s", code, output)
	}
	checkFailingInput(t, filepath.Join(dir, "testdata", "fuzz", "FuzzGreedy"), "byte('x')")
}

// memoryGroup makes a control group whose processes have so much memory together. Without the right to do so, the test is skipped.
func memoryGroup(t *testing.T, bytes int) string {
	t.Helper()
	for _, v := range [][2]string{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		parent, file := v[0], v[1]
		group, err := os.MkdirTemp(parent, "gnaw-e2e-*")
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(group, file)); err != nil { // the system makes it in a control group
			_ = os.Remove(group)
			continue
		}
		t.Cleanup(func() {
			if !eventually(func() bool { return syscall.Rmdir(group) == nil }) {
				t.Errorf("the control group %s cannot be removed", group)
			}
		})
		if os.WriteFile(filepath.Join(group, file), fmt.Append(nil, bytes), 0) == nil {
			return group
		}
	}
	t.Skip("no control group can be made")
	return ""
}
