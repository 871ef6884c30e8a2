package cli

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

func TestParseOracles(t *testing.T) {
	with := func(change func(l *oracle.Limits)) oracle.Limits {
		l := oracle.Defaults()
		change(&l)
		return l
	}
	tests := []struct {
		list string
		want oracle.Limits
	}{
		{"all", oracle.Defaults()},
		{"none", with(func(l *oracle.Limits) { l.On = 0 })},
		{"leak", with(func(l *oracle.Limits) { l.On = oracle.Leak })},
		{"leak,keep", with(func(l *oracle.Limits) { l.On = oracle.Leak | oracle.Keep })},
		{"-leak", with(func(l *oracle.Limits) { l.On &^= oracle.Leak })},
		{"-leak,-keep", with(func(l *oracle.Limits) { l.On &^= oracle.Leak | oracle.Keep })},
		{"all,-leak", with(func(l *oracle.Limits) { l.On &^= oracle.Leak })},
		{"leak,-leak", with(func(l *oracle.Limits) { l.On = 0 })},
		{"leak,none", with(func(l *oracle.Limits) { l.On = 0 })},
		{"all,alloc:1GiB", with(func(l *oracle.Limits) { l.Set(oracle.Alloc, 1<<30) })},
		{"growth:2s,leak:10s", with(func(l *oracle.Limits) {
			l.On = oracle.Growth | oracle.Leak
			l.Set(oracle.Growth, uint64(2*time.Second))
			l.Set(oracle.Leak, uint64(10*time.Second))
		})},
	}
	for _, tt := range tests {
		t.Run(tt.list, func(t *testing.T) {
			if got, err := parseOracles(tt.list); err != nil || got != tt.want {
				t.Errorf("parseOracles = %+v (%v), want %+v", got, err, tt.want)
			}
		})
	}
}

func TestParseOraclesRefuses(t *testing.T) {
	for list, want := range map[string]string{
		"":           `no oracle is called ""; there are all, none, alloc, growth, `,
		"leaks":      `no oracle is called "leaks"`,
		"alloc:much": "alloc:much: ",
		"alloc:off":  `it must be more than 0; a "-" before the name switches the oracle off`,
		"leak:-1s":   "leak:-1s: it must be more than 0",
		"growth:0s":  "it must be more than 0",
		"keep:3":     "keep:3: it has no limit; those that have one are alloc:SIZE, growth:TIME",
		"-leak:1s":   "leak is switched off and has a limit",
	} {
		t.Run(list, func(t *testing.T) {
			if l, err := parseOracles(list); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("parseOracles = %+v (%v), want an error with %q", l, err, want)
			}
		})
	}
}

func TestTheDefaultOfOraclesIsWhatTheHelpSays(t *testing.T) {
	l, err := parseOracles("all," + limitDefaults())
	if err != nil || l != oracle.Defaults() {
		t.Errorf("the default in the help means %+v (%v), want %+v", l, err, oracle.Defaults())
	}
}

func TestTheDocumentationListsEachOracle(t *testing.T) {
	doc, err := os.ReadFile("../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range oracle.All.Names() {
		if !strings.Contains(string(doc), "\n| `"+name+"` | ") || !strings.Contains(string(doc), "\n- **"+name+"** ") {
			t.Errorf("docs/findings.md has no row in the table of oracles and no paragraph for %s", name)
		}
	}
}
