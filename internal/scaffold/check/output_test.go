package check

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/landlock"
)

func TestTheBeginningAndTheEndOfOutputAreKept(t *testing.T) {
	var o output
	write := func(s string) {
		if n, err := o.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	write("first\n")
	if got := string(o.bytes()); got != "first\n" {
		t.Errorf("a short output is %q", got)
	}
	for range 8 {
		write(strings.Repeat("x", outputKept))
	}
	write("\nlast")
	got := o.bytes()
	if !bytes.HasPrefix(got, []byte("first\n")) || !bytes.HasSuffix(got, []byte("\nlast")) || !bytes.Contains(got, []byte("left out")) || len(got) > 4*outputKept {
		t.Errorf("of a long output %d bytes are kept, from %q to %q", len(got), got[:10], got[len(got)-10:])
	}
}

const (
	endless = "GNAW_CHECK_TEST_ENDLESS" // has the test binary do nothing, for ever
	writing = "GNAW_CHECK_TEST_WRITING" // has it write to this file, and to one in the temporary folder
)

func TestMain(m *testing.M) {
	if os.Getenv(endless) != "" {
		<-time.After(time.Hour)
	}
	if path := os.Getenv(writing); path != "" {
		fmt.Println("outside:", os.WriteFile(path, nil, 0o600) == nil)
		fmt.Println("inside:", os.WriteFile(filepath.Join(os.TempDir(), "file"), nil, 0o600) == nil)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTestsWriteToATemporaryFolderOnly(t *testing.T) {
	if _, err := landlock.ABI(); err != nil {
		t.Skip(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "file")
	c := &checker{Options: Options{Dir: t.TempDir(), Scratch: t.TempDir(), Environ: append(os.Environ(), writing+"="+path), Limit: time.Minute}}
	out, err := c.execute(context.Background(), binary, "^$")
	if err != nil || string(out) != "outside: false\ninside: true\n" {
		t.Errorf("execute = %q, %v", out, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s was written", path)
	}
}

func TestTestsThatDoNotBeginEnd(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{Options: Options{Dir: t.TempDir(), Scratch: t.TempDir(), Environ: append(os.Environ(), endless+"=1"), Limit: 50 * time.Millisecond}}
	out, err := c.execute(context.Background(), binary, "^$")
	if err == nil || !isCrash(out) || lastLine(out) != "panic: the tests do not end within 100ms" {
		t.Errorf("execute = %q, %v", out, err)
	}
}
