// Package tui shows a campaign on the whole screen of a terminal while it runs.
//
// Package board computes the state of the campaign from its events. place.go holds what the user looks at: the page, the selected line and the
// scroll position. The methods of [controls] change it, and those of [scene] draw it as lines of text. This code does not use the terminal;
// model.go and ui.go connect it with Bubble Tea. When the campaign ends, the interface writes the latest lines of plain output to the
// terminal.
package tui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// Options says what a terminal interface uses.
type Options struct {
	Text      text.Options // of plain output, which the interface writes when it ends; Out is the terminal
	In        io.Reader    // the keyboard; if it is nil, Bubble Tea reads the terminal of the process
	Screen    io.Writer    // the terminal
	Environ   []string     // as in os.Environ
	Interrupt func()       // does what ^C does in a terminal that is not in raw mode
}

// environ returns the environment variables for Bubble Tea. Frames have colors if plain output has.
func (o Options) environ() []string {
	if o.Text.Out.Color {
		return o.Environ
	}
	return append(slices.Clone(o.Environ), "NO_COLOR=1") // Bubble Tea ignores values such as yes
}

// UI is a terminal interface. Any goroutine may call its methods, but only one at a time may call Event.
type UI struct {
	o        Options
	renderer *text.Renderer
	journal  *journal
	program  *tea.Program
	cancel   context.CancelFunc // ends program without its last frame
	done     chan struct{}      // closed when the terminal is restored and has the plain output
	aborted  atomic.Bool

	mu    sync.Mutex // guards state
	state *state
}

// Start shows the interface until Close or Abort. If the interface fails, the output is plain from then on.
func Start(o Options) *UI {
	u := &UI{
		o: o, journal: &journal{}, done: make(chan struct{}),
		state: &state{
			State: board.NewState(), module: o.Text.Module.Path,
			name: func(t event.Subject) string { return text.Name(t, o.Text.Dir, o.Text.Module) },
		},
	}
	plain := o.Text
	plain.Out.Writer = stream{u.journal, 0}
	if plain.Errors.Terminal { // a file gets its lines at once
		plain.Errors.Writer = stream{u.journal, 1}
	}
	plain.Progress = func(string) {} // a frame shows the builds
	u.renderer = text.New(plain)
	ctx, cancel := context.WithCancel(context.Background())
	u.cancel = cancel
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithOutput(o.Screen), tea.WithEnvironment(o.environ()), tea.WithFPS(framesPerSecond),
		tea.WithoutSignalHandler(), // gnaw handles signals itself
	}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	u.program = tea.NewProgram(&model{ui: u, styles: newStyles(true)}, options...)
	go u.run()
	return u
}

// framesPerSecond is the largest number of frames that Bubble Tea writes in a second.
const framesPerSecond = 20

// run shows frames until the program ends.
func (u *UI) run() {
	defer close(u.done)
	defer u.cancel()
	_, err := u.program.Run()
	u.journal.release(u.o.Text.Out.Writer, u.o.Text.Errors.Writer)
	if err != nil && !u.aborted.Load() {
		fmt.Fprintf(u.o.Text.Errors.Writer, "gnaw: the terminal interface has failed; plain output follows: %v\n", err)
	}
}

// Event shows an event.
func (u *UI) Event(e event.Stamped) {
	u.renderer.Event(e)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.Apply(e)
}

// Errors returns a writer for other lines of the error output. The lines have no escape codes. The writer works after Close too.
func (u *UI) Errors() io.Writer { return stream{u.journal, 1} }

// Stopping shows that the campaign is ending.
func (u *UI) Stopping() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state.stopping = true
}

// Close ends the interface: it restores the terminal and writes the plain output to it.
func (u *UI) Close() {
	u.program.Quit()
	<-u.done
}

// patience is the longest time that Abort waits for the terminal.
const patience = time.Second

// Abort is Close for a process that is about to end. It waits at most a second, and reports whether the terminal is restored.
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
