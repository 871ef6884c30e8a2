package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// screen is the terminal that the standard output is connected to. A nil screen is no terminal.
type screen struct {
	file *os.File

	mu    sync.Mutex
	line  bool   // the cursor is in a line that all other output removes
	leave func() // makes what has the whole screen leave it at once; nil: nothing has it
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
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	if s.line {
		_, _ = io.WriteString(s.file, "\r\x1b[K")
		s.line = false
	}
	return s.mu.Unlock
}

// give notes that something has the whole screen from now on, and how it leaves it at once; nil: nothing has it.
func (s *screen) give(leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave = leave
}

// abandon leaves the terminal as it was, before the process ends.
func (s *screen) abandon() {
	if s == nil {
		return
	}
	s.clear()()
	s.mu.Lock()
	leave := s.leave
	s.leave = nil
	s.mu.Unlock()
	if leave != nil {
		leave()
	}
}
