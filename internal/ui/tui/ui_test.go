package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// safe is a buffer for several goroutines.
type safe struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// begun starts an interface that writes frames, and plain output after them, to a screen.
func begun(in io.Reader, screen io.Writer) *UI {
	return Start(Options{
		Text: text.Options{
			Out: text.Output{Writer: screen, Terminal: true}, Errors: text.Output{Writer: screen, Terminal: true}, Dir: "/m",
			Module: project.Module{Root: "/m", Path: "example.com/m"},
		},
		In: in, Screen: screen, Environ: []string{"TERM=xterm-256color"}, Interrupt: func() {},
	})
}

// leaveAlternate is the escape code that shows the normal screen of a terminal again.
const leaveAlternate = "\x1b[?1049l"

func TestTheTerminalHasPlainOutputAtTheEnd(t *testing.T) {
	for name, end := range map[string]func(*UI){"an end": (*UI).Close, "an end at once": func(u *UI) { u.Abort() }} {
		t.Run(name, func(t *testing.T) {
			in, keyboard := io.Pipe()
			defer keyboard.Close()
			var screen safe
			u := begun(in, &screen)
			for _, e := range recordCampaign().events {
				u.Event(e)
			}
			fmt.Fprintln(u.Errors(), "gnaw: stopping")
			u.Stopping()
			end(u)
			u.Event(event.Stamped{Event: event.Notice{What: event.Resume, Text: "one more line"}})
			_, after, ok := strings.Cut(screen.String(), leaveAlternate)
			if !ok {
				after = screen.String() // it ended before the first frame
			}
			var last int
			for _, want := range []string{"fuzzing 7 targets with 2 workers", "finding 0123  FuzzEval", "gnaw: stopping", "one more line"} {
				i := strings.Index(after, want)
				if i < last {
					t.Errorf("%q is not there, or not in its place, in %q", want, after)
				}
				last = i
			}
		})
	}
}

func TestAnErrorOutputThatIsAFileGetsItsLinesAtOnce(t *testing.T) {
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	var screen, file safe
	u := Start(Options{
		Text: text.Options{Out: text.Output{Writer: &screen, Terminal: true}, Errors: text.Output{Writer: &file}},
		In:   in, Screen: &screen, Environ: []string{"TERM=xterm-256color"}, Interrupt: func() {},
	})
	u.Event(event.Stamped{Event: event.Notice{What: event.Warning, Text: "careful"}})
	if got, want := file.String(), "gnaw: careful\n"; got != want {
		t.Errorf("the file has %q before the end, want %q", got, want)
	}
	u.Close()
	if got := file.String() + screen.String(); strings.Count(got, "careful") != 1 {
		t.Errorf("the outputs are %q, want the line once", got)
	}
}

func TestFramesHaveColorsIfPlainOutputHas(t *testing.T) {
	for _, tt := range []struct {
		color bool
		want  []string
	}{
		{true, []string{"TERM=xterm"}},
		{false, []string{"TERM=xterm", "NO_COLOR=1"}},
	} {
		o := Options{Text: text.Options{Out: text.Output{Color: tt.color}}, Environ: []string{"TERM=xterm"}}
		if got := o.environ(); !slices.Equal(got, tt.want) {
			t.Errorf("with colors %v in plain output, the environment of the frames is %q, want %q", tt.color, got, tt.want)
		}
	}
}

func TestAnAbortDoesNotWaitForATerminalThatAcceptsNoOutput(t *testing.T) {
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	shown, screen := io.Pipe()
	u := begun(in, screen)
	if _, err := io.ReadFull(shown, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if u.Abort() { // the rest of the first write is not read
		t.Error("the terminal is reported as restored")
	}
	shown.Close()
	<-u.done
}

func TestOutputIsPlainIfTheInterfaceFails(t *testing.T) {
	var screen safe
	u := begun(iotest.ErrReader(errors.New("no keyboard")), &screen)
	<-u.done
	u.Event(event.Stamped{Event: event.Notice{What: event.Resume, Text: "one line"}})
	if got := screen.String(); !strings.Contains(got, "the terminal interface has failed") || !strings.HasSuffix(got, "one line\n") {
		t.Errorf("the terminal has %q", got)
	}
	u.Close()
}

func TestTheJournalKeepsTheLatestLines(t *testing.T) {
	j := &journal{}
	const n = 3 * maxLog
	for i := range n {
		fmt.Fprintf(stream{j, i % 2}, "line %d\n", i)
	}
	texts := j.texts()
	if len(texts) > maxLog || len(texts) < maxLog*8/10 || texts[len(texts)-1] != fmt.Sprintf("line %d", n-1) {
		t.Errorf("it has %d lines, the last one is %q", len(texts), texts[len(texts)-1])
	}
	var out, errors bytes.Buffer
	j.release(&out, &errors)
	fmt.Fprintln(stream{j, 1}, "behind it")
	if got := strings.Count(out.String()+errors.String(), "\n"); got != len(texts)+2 || !strings.HasPrefix(out.String(), "… ") || !strings.HasSuffix(errors.String(), "behind it\n") {
		t.Errorf("%d lines are written for %d", got, len(texts))
	}
}

// complaining is an output that writes a line elsewhere for each write.
type complaining struct{ to io.Writer }

func (c complaining) Write(p []byte) (int, error) {
	fmt.Fprintln(c.to, "it cannot be written")
	return 0, errors.New("no terminal")
}

func TestAnOutputThatFailsMayWriteALine(t *testing.T) {
	j := &journal{}
	fmt.Fprintln(stream{j, 0}, "one line")
	var errors bytes.Buffer
	j.release(complaining{stream{j, 1}}, &errors)
	if got, want := errors.String(), "it cannot be written\n"; got != want {
		t.Errorf("the error output is %q, want %q", got, want)
	}
}
