package cli

import (
	"strings"
	"testing"
)

func TestTheArgumentsThatIdentifyACampaign(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"limits and patterns", []string{"-fuzztime=5m", "-parallel", "2", "./..."}, "-fuzztime=5m -parallel 2 ./..."},
		{"not what is printed", []string{"-v", "-json", "--json", "-fresh", "./a"}, "./a"},
		{"not what is printed, with a value", []string{"-v=true", "--json=1", "-fresh=false", "./a"}, "./a"},
		{"not how it is shown", []string{"-ui=tui", "-ui", "plain", "./a"}, "./a"},
		{"no secret", []string{"-notify=https://h.example/secret", "--notify", "https://h.example/secret", "-notify-input", "./a"}, "./a"},
		{"no files with results", []string{"-sarif=a.sarif", "-junit", "a.xml", "--codequality=q.json", "./a"}, "./a"},
		{"a value that looks like such a flag", []string{"-tags", "json", "v"}, "-tags json v"},
		{"for a shell", []string{"-fuzz=A|B", "./it's"}, `'-fuzz=A|B' './it'\''s'`},
		{"nothing", nil, ""},
	} {
		if got := sameArgs(tt.args); got != tt.want {
			t.Errorf("%s: sameArgs(%q) = %q, want %q", tt.name, tt.args, got, tt.want)
		}
	}
}

func TestTheUserInterfaceIsChosenByAFlag(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want uiMode
		err  string // part of it; empty: none
	}{
		{"the default", nil, "", ""},
		{"the whole screen", []string{"-ui=tui"}, uiTUI, ""},
		{"lines", []string{"-ui", "plain"}, uiPlain, ""},
		{"both ways to ask for JSON", []string{"-ui=json", "-json"}, uiJSON, ""},
		{"a contradiction", []string{"-ui=plain", "-json"}, uiPlain, "contradict"},
		{"another value", []string{"-ui=web"}, "", "it takes tui, plain or json"},
	} {
		f, err := parseFuzzFlags(tt.args)
		if tt.err == "" && (err != nil || f.ui != tt.want) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: the interface is %q, %v; want %q and an error with %q", tt.name, f.ui, err, tt.want, tt.err)
		}
	}
}
