package group

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

func TestWhatHasLeftTheGroupEndsToo(t *testing.T) {
	const lasting = "sleep 600"
	end := map[string]func(*exec.Cmd, context.CancelFunc) error{
		"RunLeashed": func(cmd *exec.Cmd, _ context.CancelFunc) error { return RunLeashed(cmd) },
		"RunTests":   func(cmd *exec.Cmd, _ context.CancelFunc) error { return RunTests(context.Background(), cmd) },
	}
	for name, script := range map[string]string{
		"it has a session of its own":         "setsid " + lasting + " & echo started",
		"the one that has started it is gone": "setsid sh -c '" + lasting + " & echo started'",
		"it has started others":               "setsid sh -c 'setsid sh -c \"env -i " + lasting + " & echo started; wait\" & wait' & read line < fifo",
	} {
		for how, run := range end {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				cmd := exec.CommandContext(ctx, "sh", "-c", script)
				cmd.Dir = t.TempDir()
				if err := syscall.Mkfifo(cmd.Dir+"/fifo", 0o600); err != nil {
					t.Fatal(err)
				}
				out := piped(t, cmd, func() error { return run(cmd, cancel) })
				if _, err := out.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				f, err := os.OpenFile(cmd.Dir+"/fifo", os.O_RDWR, 0) // which does not wait for the one that reads
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if _, err := io.WriteString(f, "\n"); err != nil {
					t.Fatal(err)
				}
				// The pipe is closed when the last process has ended.
				if _, err := io.Copy(io.Discard, out); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// piped runs a command and returns what its processes print.
func piped(t *testing.T, cmd *exec.Cmd, run func() error) *bufio.Reader {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	cmd.Stdout = w
	go func() {
		_ = run()
		w.Close()
	}()
	return bufio.NewReader(r)
}

func TestWhatHasAnotherEnvironmentEndsWithTheProcessThatIsEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "sh", "-c", "setsid env -i sleep 600 & echo started; wait")
	out := piped(t, cmd, func() error { return RunLeashed(cmd) })
	if _, err := out.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
}

func TestOtherProcessesStay(t *testing.T) {
	other := exec.Command("sleep", "600")
	Own(other)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	one := exec.Command("true")
	if err := RunLeashed(one); err != nil {
		t.Fatal(err)
	}
	if got, _ := offspring(0, markOf(other)); !slices.Equal(got, []int{other.Process.Pid}) {
		t.Errorf("the processes with the mark are %v, want %d, which lives", got, other.Process.Pid)
	}
	End(other)
	if err := Wait(other); err == nil {
		t.Error("the process that was ended has ended by itself")
	}
}

func TestAGnawThatEndsAtOnceEndsAll(t *testing.T) {
	var running []*bufio.Reader
	for range 2 {
		cmd := exec.Command("sh", "-c", "setsid sleep 600 & echo started; wait")
		running = append(running, piped(t, cmd, func() error { return RunTests(context.Background(), cmd) }))
	}
	for _, out := range running {
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	EndAll()
	for _, out := range running {
		if _, err := io.Copy(io.Discard, out); err != nil { // as above
			t.Error(err)
		}
	}
}

func BenchmarkOffspring(b *testing.B) {
	for b.Loop() {
		offspring(os.Getpid(), markEnv+"=none") // as of a process that has started recently
	}
}
