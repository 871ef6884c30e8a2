package check

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"
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

// endless has the test binary do nothing, for ever.
const endless = "GNAW_CHECK_TEST_ENDLESS"

func TestMain(m *testing.M) {
	if os.Getenv(endless) != "" {
		<-time.After(time.Hour)
	}
	os.Exit(m.Run())
}

func TestTestsThatDoNotBeginEnd(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{Options: Options{Dir: t.TempDir(), Environ: append(os.Environ(), endless+"=1"), Limit: 50 * time.Millisecond}}
	out, err := c.execute(context.Background(), binary, "^$")
	if err == nil || !isCrash(out) || lastLine(out) != "panic: the tests do not end within 100ms" {
		t.Errorf("execute = %q, %v", out, err)
	}
}
