// Package tui shows a campaign on the whole screen of a terminal while it runs.
//
// state.go is the campaign as its events tell, place.go is where the user is in it, and the functions of [scene] draw both as lines of
// text: none of them knows the terminal. model.go and ui.go connect them with Bubble Tea. When the campaign ends, the terminal has what
// plain output would have written.
package tui

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// Options says what a terminal interface uses.
type Options struct {
	Text      text.Options // of plain output, which is written when the interface ends; Out is the terminal
	In        io.Reader    // the keyboard; nil: that of the terminal of the process
	Screen    io.Writer    // the terminal
	Environ   []string     // as os.Environ
	Interrupt func()       // ends the campaign as ^C does in a terminal that is not in raw mode
}

// UI is a terminal interface. Its methods may be called from any goroutine, except Event, which is called on one at a time.
type UI struct {
	o        Options
	renderer *text.Renderer
	journal  *journal
	program  *tea.Program
	cancel   context.CancelFunc // ends program without its last frame
	done     chan struct{} // closed when the terminal is as before
	aborted  atomic.Bool

	mu    sync.Mutex // guards state
	state *state
}

// Start shows the interface until Close or Abort. If the terminal cannot show it, or the interface fails, output is plain from then on.
func Start(o Options) *UI {
	u := &UI{
		o: o, journal: &journal{}, done: make(chan struct{}),
		state: newState(o.Text.Module.Path, func(t event.Target) string { return text.Name(t, o.Text.Dir, o.Text.Module) }),
	}
	plain := o.Text
	plain.Out.Writer, plain.Errors.Writer = stream{u.journal, 0}, stream{u.journal, 1}
	plain.Progress = func(string) {} // a frame shows the builds
	u.renderer = text.New(plain)
	ctx, cancel := context.WithCancel(context.Background())
	u.cancel = cancel
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithOutput(o.Screen), tea.WithEnvironment(o.Environ), tea.WithFPS(framesPerSecond),
		tea.WithoutSignalHandler(), // gnaw handles them
	}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	u.program = tea.NewProgram(&model{ui: u, styles: newStyles(true)}, options...)
	go u.run()
	return u
}

// framesPerSecond limits how often the terminal is written to.
const framesPerSecond = 20

// run shows frames until the program ends.
func (u *UI) run() {
	defer close(u.done)
	defer u.cancel()
	_, err := u.program.Run()
	u.journal.release(u.o.Text.Out.Writer, u.o.Text.Errors.Writer)
	if err != nil && !u.aborted.Load() {
		fmt.Fprintf(u.o.Text.Errors.Writer, "gnaw: the terminal interface has failed; what follows is plain output: %v\n", err)
	}
}

// Event shows an event.
func (u *UI) Event(e event.Stamped) {
	u.renderer.Event(e)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.apply(e)
}

// Errors returns a writer for other lines of the error output, without escape codes. It can be used after Close too.
func (u *UI) Errors() io.Writer { return stream{u.journal, 1} }

// Stopping shows that the campaign is about to end.
func (u *UI) Stopping() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.stopping = true
}

// Close ends the interface: the terminal is as before, and has what plain output would have written.
func (u *UI) Close() {
	u.program.Quit()
	<-u.done
}

// patience is how long Abort waits for the terminal.
const patience = time.Second

// Abort is Close for a process that is about to end: it waits at most a second, and reports whether the terminal is as before.
func (u *UI) Abort() (restored bool) {
	u.aborted.Store(true)
	u.cancel() // Program.Kill would have no effect on a program that has not yet changed the terminal
	select {
	case <-u.done:
		return true
	case <-time.After(patience):
		return false
	}
}
