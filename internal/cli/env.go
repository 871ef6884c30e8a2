package cli

import (
	"io"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Env is the world of a command.
type Env struct {
	Args           []string // after the name of the command
	Environ        []string // as os.Environ
	Dir            string   // working directory
	Executable     string   // path of the program; empty: not known
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Result         *os.File                                      // pipe of `gnaw coordinate`; nil otherwise
	Interrupts     <-chan os.Signal                              // signals by which the user or the system ends it
	Exec           func(path string, argv, environ []string) int // replaces the process, or runs and waits
	Abort          func(code int)                                // ends the process at once
	Interrupt      func()                                        // sends the signal of ^C to Interrupts, for a terminal in raw mode; nil without a keyboard

	screen  *screen  // the terminal of the standard output
	webhook string   // value of GNAW_NOTIFY, which Main removes from Environ
	token   string   // value of GNAW_HTTP_TOKEN, which Main removes from Environ
	actions *actions // nil: the command does not run in GitHub Actions
}

// Abs returns the absolute path of a file that the user names relative to the working directory.
func (e Env) Abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.Dir, name)
}

// Getenv returns the value of a variable, "" if it is not set.
func (e Env) Getenv(name string) string { return session.Getenv(e.Environ, name) }
