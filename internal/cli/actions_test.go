package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

func TestTheLogOfAStepHasNoCommandsOfTargets(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		inActions  bool
		out, err   string // patterns of the two outputs
	}{
		{"plain lines", "fuzz ./nosuch", true, `^::stop-commands::([A-Z0-9]{26})\n(?s:gnaw: .*\n)::([A-Z0-9]{26})::\n$`, `^$`},
		{"JSON", "fuzz -json ./nosuch", true, `^$`, `^::stop-commands::([A-Z0-9]{26})\n(?s:gnaw: .*\n)::([A-Z0-9]{26})::\n$`},
		{"another command", "show", true, `^$`, `^gnaw: .*\n$`},
		{"not in GitHub Actions", "fuzz ./nosuch", false, `^$`, `^(?s:gnaw: .*\n)$`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errors bytes.Buffer
			environ := []string{"GITHUB_ACTIONS=" + map[bool]string{true: "true", false: "false"}[tt.inActions]}
			code := Main(t.Context(), Env{Args: strings.Fields(tt.args), Environ: append(environ, "PATH="), Dir: t.TempDir(), Stdout: &out, Stderr: &errors})
			if code == exitcode.OK {
				t.Error("the exit code is 0")
			}
			for text, pattern := range map[string]string{out.String(): tt.out, errors.String(): tt.err} {
				m := regexp.MustCompile(pattern).FindStringSubmatch(text)
				if m == nil || len(m) == 3 && m[1] != m[2] {
					t.Errorf("it prints %q, want %s", text, pattern)
				}
			}
		})
	}
}
