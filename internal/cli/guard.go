package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// guardCommand is the first argument of a guard: a process that restores the terminal after gnaw was killed or has panicked.
const guardCommand = "guard-terminal"

// Messages between gnaw and the guard.
const (
	guardReady = "ready" // from the guard: it has read the state of the terminal
	guardDone  = "done"  // from gnaw: it has restored the terminal
)

// guardPatience is the longest time that gnaw waits until the guard is ready.
const guardPatience = 2 * time.Second

// guard starts the guard. If this process ends before it calls dismiss, the guard restores the terminal and prints the stacks of a panic. If
// the guard cannot be started, nothing restores the terminal in this case.
func guard(env Env, terminal *os.File) (dismiss func()) {
	path, err := os.Executable()
	if err != nil {
		return func() {}
	}
	fromUs, toGuard, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	cmd := exec.Command(path, guardCommand)
	cmd.Env, cmd.Stdin, cmd.Stderr = env.Environ, fromUs, terminal
	group.Lead(cmd) // a signal to the group of gnaw does not reach it
	answer, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	_ = fromUs.Close()
	if err != nil {
		_ = toGuard.Close()
		return func() {}
	}
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		_, _ = io.ReadFull(answer, make([]byte, len(guardReady)))
	}()
	select {
	case <-ready:
	case <-time.After(guardPatience):
	}
	// The guard prints the stacks of a panic again, because those on the error output are lost with the frame.
	_ = debug.SetCrashOutput(toGuard, debug.CrashOptions{})
	return sync.OnceFunc(func() { // an abort and the end of the campaign may both dismiss it
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_, _ = io.WriteString(toGuard, guardDone)
		_ = toGuard.Close()
		_ = cmd.Wait()
	})
}

// runGuard runs in the guard. Its error output is the terminal.
func runGuard(env Env) (int, error) {
	f, ok := direct(env.Stderr).(*os.File)
	if !ok {
		return exitcode.Internal, nil
	}
	group.LeaveTerminal()
	before, err := term.GetState(f.Fd())
	if err != nil {
		return exitcode.Internal, fmt.Errorf("read the state of the terminal: %w", err)
	}
	fmt.Fprint(env.Stdout, guardReady)
	said, err := io.ReadAll(env.Stdin)
	if err == nil && string(said) == guardDone {
		return exitcode.OK, nil
	}
	_, _ = io.WriteString(f, ansi.ResetModeMouseButtonEvent+ansi.ResetModeMouseExtSgr+
		ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable+ansi.ResetModeBracketedPaste+ansi.ResetModifyOtherKeys)
	if err := term.Restore(f.Fd(), before); err != nil {
		return exitcode.Internal, fmt.Errorf("restore the terminal: %w", err)
	}
	fmt.Fprintf(env.Stderr, "gnaw ended unexpectedly; gnaw findings lists what it found\n%s", said)
	return exitcode.OK, nil
}
