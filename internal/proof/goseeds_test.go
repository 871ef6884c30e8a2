package proof

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestEachSeedThatFailsIsRunAlone(t *testing.T) {
	fails := exec.Command("go", "no such command").Run()
	const both = "--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/1f (0.00s)\n        x_test.go:7: differs\n    --- FAIL: FuzzX/seed#0 (0.00s)\n        x_test.go:7: differs\nFAIL\n"
	one := func(name string) string {
		return "=== RUN   FuzzX\n=== RUN   FuzzX/" + name + "\n    x_test.go:7: differs\n--- FAIL: FuzzX (0.00s)\n    --- FAIL: FuzzX/" + name + " (0.00s)\nFAIL\n"
	}
	for _, tt := range []struct {
		name    string
		outputs map[string]string // of failing runs, by pattern
		want    []string
		output  string
	}{
		{"none fails", nil, nil, ""},
		{"two fail", map[string]string{"^(FuzzX|FuzzY)$": both, "^FuzzX$/^1f$": one("1f"), "^FuzzX$/^seed#0$": one("seed#0")}, []string{"1f", "seed#0"}, ""},
		{"one fails after another one only", map[string]string{"^(FuzzX|FuzzY)$": both, "^FuzzX$/^1f$": one("1f")}, []string{"1f"}, ""},
		{"none fails alone", map[string]string{"^(FuzzX|FuzzY)$": both}, nil, both},
		{"the package does not build", map[string]string{"^(FuzzX|FuzzY)$": "FAIL x [build failed]\n"}, nil, "FAIL x [build failed]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := GoCommand{Go: "go", Record: finding.Record{Flags: []string{"-tags=x"}}, Run: func(_ context.Context, cmd *exec.Cmd) error {
				if !slices.Contains(cmd.Args, "-tags=x") {
					t.Errorf("the command is %v, want the flags of the finding", cmd.Args)
				}
				i := slices.IndexFunc(cmd.Args, func(arg string) bool { return strings.HasPrefix(arg, "-run=") })
				out, ok := tt.outputs[strings.TrimPrefix(cmd.Args[i], "-run=")]
				if !ok {
					return nil
				}
				fmt.Fprint(cmd.Stdout, out)
				return fails
			}}
			list, output, err := c.Seeds(t.Context(), []string{"FuzzX", "FuzzY"})
			var names []string
			for _, f := range list {
				names = append(names, f.Name)
				if f.Target != "FuzzX" || f.Finding.Kind != finding.Failure || f.Finding.Message != "differs" {
					t.Errorf("a seed is %+v with %+v", f, f.Finding)
				}
			}
			if err != nil || !slices.Equal(names, tt.want) || output != tt.output {
				t.Errorf("the seeds are %q with the output %q (%v), want %q with %q", names, output, err, tt.want, tt.output)
			}
		})
	}
}
