package cli

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/charmbracelet/x/term"

	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
	"github.com/gnaw-fuzz/gnaw/internal/ui/tui"
)

// uiMode is the value of -ui. The empty value is the default.
type uiMode string

// The values of -ui.
const (
	uiTUI   uiMode = "tui"
	uiPlain uiMode = "plain"
	uiJSON  uiMode = "json"
)

// Set implements flag.Value.
func (m *uiMode) Set(s string) error {
	if !slices.Contains([]uiMode{uiTUI, uiPlain, uiJSON}, uiMode(s)) {
		return errors.New("it takes tui, plain or json")
	}
	*m = uiMode(s)
	return nil
}

// String implements flag.Value.
func (m *uiMode) String() string { return string(*m) }

// isTUI reports whether a campaign gets the whole screen. That needs a terminal, and this process in its foreground: the system stops a
// background process that reads from a terminal. Without -ui=tui, the terminal must also be large enough, and the variable CI must not be
// set.
func (m uiMode) isTUI(env Env) bool {
	if m != uiTUI && m != "" || env.screen == nil || !isForeground(env.screen.file.Fd()) {
		return false
	}
	width, height, err := term.GetSize(env.screen.file.Fd())
	return m == uiTUI || err == nil && tui.Fits(width, height) && env.Getenv("CI") == ""
}

// newScreen returns the screen of the standard output. It returns nil if that is no terminal, or if TERM is dumb.
func newScreen(env Env) *screen {
	if f := terminalOf(env, env.Stdout); f != nil {
		return &screen{file: f}
	}
	return nil
}

// terminalOf returns the terminal behind an output. It returns nil if there is no terminal, or if TERM is dumb: a dumb terminal has no escape
// codes.
func terminalOf(env Env, w io.Writer) *os.File {
	f, ok := direct(w).(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || env.Getenv("TERM") == "dumb" {
		return nil
	}
	return f
}

// text returns w as an output for lines. They have colors on a terminal, unless the variable NO_COLOR is set.
func (e Env) text(w io.Writer) text.Output {
	o, ok := w.(*output)
	if !ok || e.screen == nil || terminalOf(e, w) == nil {
		return text.Output{Writer: w}
	}
	return text.Output{Writer: painted{o}, Terminal: true, Color: e.Getenv("NO_COLOR") == ""}
}

// startTUI gives the whole screen to a campaign until the caller calls end. lines are the options of plain output.
func startTUI(env Env, lines text.Options) (ui *tui.UI, end func()) {
	o := tui.Options{Text: lines, Screen: env.screen.file, Environ: env.Environ, Interrupt: func() {}}
	if env.Interrupt != nil {
		o.Interrupt = env.Interrupt
	}
	if f, ok := env.Stdin.(*os.File); ok && term.IsTerminal(f.Fd()) {
		o.In = f
	}
	dismiss := guard(env, env.screen.file)
	ui = tui.Start(o)
	env.screen.give(func() {
		if ui.Abort() { // if not, the guard restores the terminal when this process has ended
			dismiss()
		}
	})
	errors, ok := env.Stderr.(*output)
	if ok && lines.Errors.Terminal {
		errors.divert(ui.Errors())
	}
	return ui, func() {
		ui.Close()
		dismiss()
		env.screen.release()
		if ok {
			errors.divert(nil)
		}
	}
}
