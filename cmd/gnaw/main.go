// Command gnaw is a coverage-guided fuzzer for Go. See `gnaw help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/cli"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

func main() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup
		signal.Notify(interrupts, syscall.SIGHUP)
	}
	if !isHost() {
		// A write to a closed standard output is an error then, and does not end the process; nobody reads the channel.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	dir, err := os.Getwd()
	if err != nil {
		os.Stderr.WriteString("gnaw: the working directory is gone: " + err.Error() + "\n")
		os.Exit(exitcode.Internal)
	}
	executable, _ := os.Executable() // it is not known without /proc
	os.Exit(cli.Main(context.Background(), cli.Env{
		Args:       os.Args[1:],
		Environ:    os.Environ(),
		Dir:        dir,
		Executable: executable,
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Result:     resultPipe(),
		Interrupts: interrupts,
		Exec:       become,
		Abort:      os.Exit,
		Interrupt: func() {
			select {
			case interrupts <- os.Interrupt:
			default: // there are two already
			}
		},
	}))
}

// isHost reports whether a test process has started this one.
func isHost() bool { return len(os.Args) == 2 && os.Args[1] == cli.HostCommand }

// result is the file that a test process hands over, or what else has its descriptor, such as a file of the runtime. It is kept so that
// no finalizer closes that.
var result *os.File

// resultPipe returns the pipe that a test process hands over, nil if there is none.
func resultPipe() *os.File {
	const descriptor = 3
	if !isHost() {
		return nil
	}
	result = os.NewFile(descriptor, "result")
	if info, err := result.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return nil
	}
	return result
}
