package cli

import "testing"

func TestTheArgumentsThatTellCampaignsApart(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"limits and patterns", []string{"-fuzztime=5m", "-parallel", "2", "./..."}, "-fuzztime=5m -parallel 2 ./..."},
		{"not what is printed", []string{"-v", "-json", "--json", "-fresh", "./a"}, "./a"},
		{"not what is printed, with a value", []string{"-v=true", "--json=1", "-fresh=false", "./a"}, "./a"},
		{"not how it is shown", []string{"-ui=tui", "-ui", "plain", "./a"}, "./a"},
		{"a value that looks like such a flag", []string{"-tags", "json", "v"}, "-tags json v"},
		{"nothing", nil, ""},
	} {
		if got := sameArgs(tt.args); got != tt.want {
			t.Errorf("%s: sameArgs(%q) = %q, want %q", tt.name, tt.args, got, tt.want)
		}
	}
}
