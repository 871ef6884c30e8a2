package proof

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestTheArgumentsOfGoTest(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    finding.Record
		more []string
		want string
	}{
		{"a file", finding.Record{Target: "FuzzX", Path: "p/testdata/fuzz/FuzzX/1f"}, nil, "test -json=false -run=^FuzzX$/^1f$ ."},
		{"a seed", finding.Record{Target: "FuzzX", Seed: "seed#1"}, []string{"-v"}, "test -json=false -run=^FuzzX$/^seed#1$ . -v"},
		{"a count", finding.Record{Target: "FuzzX", Seed: "a", Count: 500}, nil, "test -json=false -run=^FuzzX$/^a$ -count=500 ."},
		{
			"flags and arguments of the finding",
			finding.Record{Target: "FuzzX", Seed: "a", Flags: []string{"-tags=x"}, Args: []string{"-db=y"}},
			[]string{"-v"},
			"test -json=false -run=^FuzzX$/^a$ -tags=x . -v -args -db=y",
		},
		{
			"other arguments of the user",
			finding.Record{Target: "FuzzX", Seed: "a", Args: []string{"-db=y"}},
			[]string{"-args", "-db=z"},
			"test -json=false -run=^FuzzX$/^a$ . -args -db=z",
		},
	} {
		if got := strings.Join(goTestArgs(tt.r, tt.more...), " "); got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestGoTestRanTheInput(t *testing.T) {
	for output, want := range map[string]bool{
		"=== RUN   FuzzX\n=== RUN   FuzzX/1f\n--- PASS: FuzzX\n":  true,
		"=== RUN   FuzzX/1f\n    x_test.go:3: no\n--- SKIP: Fuzz": true,
		"=== RUN   FuzzX\n--- SKIP: FuzzX\n":                      false,
		"testing: warning: no tests to run\n":                     false,
		"=== RUN   FuzzXY/1f\n":                                   false,
	} {
		if got := ranInput(output, "FuzzX"); got != want {
			t.Errorf("that the input was run is %v:\n%s", got, output)
		}
	}
}
