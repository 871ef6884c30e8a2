package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/gnaw-fuzz/gnaw/internal/ui/tui"
)

// screen is the terminal that the standard output is connected to. A nil screen is no terminal.
type screen struct {
	file *os.File

	mu   sync.Mutex
	line bool    // the cursor is in a line that all other output removes
	ui   *tui.UI // that has the whole screen; nil: none has
}

// progress returns a function that shows a line until something else is written; nil: there is no terminal.
func (s *screen) progress() func(string) {
	if s == nil {
		return nil
	}
	return func(line string) {
		defer s.clear()()
		if line == "" {
			return
		}
		width, _, err := term.GetSize(s.file.Fd())
		if err != nil || width <= 0 {
			width = 80
		}
		_, _ = io.WriteString(s.file, ansi.Truncate(line, width-1, "…"))
		s.line = true
	}
}

// busy shows what is done, with its time, until the caller calls the function that it returns, which may be called again.
func (s *screen) busy(what string) (end func()) {
	if s == nil {
		return func() {}
	}
	show, begin := s.progress(), time.Now()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				show(fmt.Sprintf("%s, %v", what, time.Since(begin).Round(time.Second)))
			case <-done:
				show("")
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(done)
		<-ended
	})
}

// clear removes the line of progress. No other is shown until the caller calls the function that it returns.
func (s *screen) clear() (unlock func()) {
	s.mu.Lock()
	if s.line {
		_, _ = io.WriteString(s.file, "\r\x1b[K")
		s.line = false
	}
	return s.mu.Unlock
}

// isFree reports whether a program may have the whole screen: this process must be in the foreground, or the system stops it.
func (s *screen) isFree() bool { return s != nil && isForeground(s.file.Fd()) }

// swap says which program has the whole screen from now on, and returns the one that had it; nil: none.
func (s *screen) swap(ui *tui.UI) (before *tui.UI) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.ui = s.ui, ui
	return before
}

// abandon leaves the terminal as it was, before the process ends.
func (s *screen) abandon() {
	if s == nil {
		return
	}
	s.clear()()
	if ui := s.swap(nil); ui != nil {
		ui.Abort()
	}
}
