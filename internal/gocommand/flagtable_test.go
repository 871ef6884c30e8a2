package gocommand_test

import (
	"bufio"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// TestFlagTable holds the table to what the go command itself says about its flags.
func TestFlagTable(t *testing.T) {
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		seen := 0
		for _, topic := range []string{"build", "testflag", "test"} {
			out, err := tc.Output(t.Context(), t.TempDir(), "help", topic)
			if err != nil {
				t.Fatal(err)
			}
			for sc := bufio.NewScanner(strings.NewReader(string(out))); sc.Scan(); {
				line, ok := strings.CutPrefix(sc.Text(), "\t-")
				if !ok || strings.HasPrefix(line, "\t") {
					continue
				}
				name, value, _ := strings.Cut(line, " ")
				name, _, _ = strings.Cut(strings.TrimSuffix(name, ","), "=")
				if name == "args" || name == "test.run" {
					continue
				}
				seen++
				want := gocommand.Boolean
				if value != "" && !strings.HasPrefix(value, "-") {
					want = gocommand.Valued
				}
				if got := gocommand.TestFlags[name]; got != want {
					t.Errorf("kind of -%s = %d, want %d: go help %s has %q", name, got, want, topic, sc.Text())
				}
			}
		}
		if seen < 50 {
			t.Errorf("only %d flags found", seen)
		}
	})
	for name, k := range gocommand.Forwarded {
		if gocommand.TestFlags[name] != k {
			t.Errorf("-test.%s is of kind %d, -%s of kind %d", name, k, name, gocommand.TestFlags[name])
		}
	}
}
