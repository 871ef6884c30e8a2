package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// screen is the terminal of the standard output. A nil *screen says that the standard output is no terminal.
type screen struct {
	file *os.File

	leave atomic.Pointer[func()] // makes the program that has the whole screen leave it at once; nil: no program has it

	mu   sync.Mutex // held during each write to the terminal
	line bool       // the cursor is in a line of progress, which all other output removes
}

// progress returns a function that shows a line until the next write to the terminal. It returns nil if s is nil.
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

// busy shows what gnaw does, and for how long, until the caller calls end. More calls of end do nothing.
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

// clear removes the line of progress and locks the terminal until the caller calls unlock.
func (s *screen) clear() (unlock func()) {
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	s.erase()
	return s.mu.Unlock
}

// erase removes the line of progress. The caller holds mu.
func (s *screen) erase() {
	if s.line {
		_, _ = io.WriteString(s.file, "\r\x1b[K")
		s.line = false
	}
}

// give notes that a program has the whole screen until release. leave makes it leave the screen at once.
func (s *screen) give(leave func()) { s.leave.Store(&leave) }

// release notes that no program has the whole screen.
func (s *screen) release() { s.leave.Store(nil) }

// abandon restores the terminal before the process ends. It does not wait for a write to a terminal that accepts no more output: the
// process must end nevertheless.
func (s *screen) abandon() {
	if s == nil {
		return
	}
	if s.mu.TryLock() {
		s.erase()
		s.mu.Unlock()
	}
	if leave := s.leave.Swap(nil); leave != nil {
		(*leave)()
	}
}
