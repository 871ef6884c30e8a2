package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// fakeScreen returns a screen that writes to a file. shown returns the content of the file.
func fakeScreen(t *testing.T) (s *screen, shown func() string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "screen"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return &screen{file: f}, func() string {
		text, err := disk.Read(f.Name(), disk.MaxList)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func TestOutputRemovesTheLineOfProgress(t *testing.T) {
	s, shown := fakeScreen(t)
	show := s.progress()
	out := &output{to: s.file, screen: s}
	show("building 1 of 2")
	show("building 2 of 2")
	fmt.Fprintln(out, "a \x1b line")
	fmt.Fprintln(painted{out}, "a \x1b[1mbold\x1b[m line")
	show("")
	show("the end")
	show("")
	if got, want := shown(), "building 1 of 2\r\x1b[Kbuilding 2 of 2\r\x1b[Ka \\x1b line\na \x1b[1mbold\x1b[m line\nthe end\r\x1b[K"; got != want {
		t.Errorf("the terminal gets %q, want %q", got, want)
	}
}

func TestOutputIsDivertedWhileTheInterfaceHasTheScreen(t *testing.T) {
	s, shown := fakeScreen(t)
	elsewhere, written := fakeScreen(t)
	out := &output{to: s.file, screen: s}
	out.divert(elsewhere.file)
	fmt.Fprintln(out, "hidden \x1b")
	fmt.Fprintln(painted{out}, "from the interface")
	out.divert(nil)
	fmt.Fprintln(out, "shown")
	if got, want := shown(), "from the interface\nshown\n"; got != want {
		t.Errorf("the terminal gets %q, want %q", got, want)
	}
	if got, want := written(), "hidden \\x1b\n"; got != want {
		t.Errorf("%q is written elsewhere, want %q", got, want)
	}
}

func TestAnAbortLeavesTheScreenOnce(t *testing.T) {
	s, _ := fakeScreen(t)
	left := 0
	s.give(func() { left++ })
	s.abandon()
	s.abandon()
	var none *screen
	none.abandon()
	none.busy("nothing")()
	if left != 1 {
		t.Errorf("it is left %d times, want once", left)
	}
}

func TestAnAbortDoesNotWaitForAWrite(t *testing.T) {
	s, _ := fakeScreen(t)
	left := false
	s.give(func() { left = true })
	unlock := s.clear() // as during a write that does not return
	s.abandon()
	unlock()
	if !left {
		t.Error("the screen is not left")
	}
}

func TestWhatIsDoneIsNoLongerShown(t *testing.T) {
	s, shown := fakeScreen(t)
	end := s.busy("loading")
	end()
	end()
	if got := shown(); got != "" {
		t.Errorf("the terminal gets %q, want nothing", got)
	}
}

func TestWithoutATerminalThereIsNoInterface(t *testing.T) {
	for _, m := range []uiMode{"", uiTUI, uiPlain, uiJSON} {
		if m.isTUI(Env{}) {
			t.Errorf("-ui=%s gives a campaign the screen", m)
		}
	}
	var m uiMode
	if m.Set("web") == nil || m.Set("tui") != nil || m != uiTUI {
		t.Errorf("the mode is %q", m)
	}
}

func TestAWriteToATerminalThatIsGoneReturns(t *testing.T) {
	s, _ := fakeScreen(t)
	notices := &output{to: brokenWriter{0}, screen: s}
	out := &output{to: brokenWriter{0}, screen: s, notices: notices}
	fmt.Fprintln(out, "lost")
	if out.failure() == nil {
		t.Error("the failure is not noted")
	}
}
