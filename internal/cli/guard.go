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

// guardCommand is the first argument of the process that restores a terminal when gnaw ends without doing so: it was killed, or a
// goroutine panicked.
const guardCommand = "guard-terminal"

// Texts between gnaw and the guard.
const (
	guardReady = "ready" // the guard knows the state of the terminal
	guardDone  = "done"  // gnaw has restored it
)

// guardPatience is how long gnaw waits for the guard to start.
const guardPatience = 2 * time.Second

// guard starts a process that restores the terminal when this one ends before it calls the function that guard returns. Then that process
// also prints the stacks of a panic. If it cannot be started, nothing restores the terminal in these cases.
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
	group.Lead(cmd) // what ends our group does not end it
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
	_ = debug.SetCrashOutput(toGuard, debug.CrashOptions{}) // without it, the stacks of a panic are lost
	return sync.OnceFunc(func() { // an abort may dismiss it while the campaign ends
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		_, _ = io.WriteString(toGuard, guardDone)
		_ = toGuard.Close()
		_ = cmd.Wait()
	})
}

// runGuard is the process that guard starts. Its error output is the terminal.
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
	_, _ = io.WriteString(f, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable+ansi.ResetModeBracketedPaste+ansi.ResetModifyOtherKeys)
	if err := term.Restore(f.Fd(), before); err != nil {
		return exitcode.Internal, fmt.Errorf("restore the terminal: %w", err)
	}
	fmt.Fprintf(env.Stderr, "gnaw ended unexpectedly; gnaw findings lists what it found\n%s", said)
	return exitcode.OK, nil
}
