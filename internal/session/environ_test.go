package session

import (
	"slices"
	"testing"
)

func TestTestProcessesHaveAnEnvironmentThatGnawCanRead(t *testing.T) {
	for _, tt := range []struct{ given, want []string }{
		{[]string{"A=1"}, nil},
		{[]string{"GOTRACEBACK=", "GORACE="}, nil},
		{[]string{"GOTRACEBACK=all", "GORACE=history_size=7 atexit_sleep_ms=0"}, nil},
		{[]string{"GOTRACEBACK=system"}, nil},
		{[]string{"GOTRACEBACK=0"}, []string{"GOTRACEBACK=single"}},
		{[]string{"GOTRACEBACK=none"}, []string{"GOTRACEBACK=single"}},
		{[]string{"GOTRACEBACK=none", "GOTRACEBACK=single"}, nil},
		{[]string{"GOTRACEBACK=crash", "GORACE=halt_on_error=1"}, []string{"GOTRACEBACK=single", "GORACE="}},
		{[]string{"GORACE=log_path=/x  history_size=7 strip_path_prefix=/y"}, []string{"GORACE=history_size=7"}},
	} {
		changed, differs := ReadableEnviron(tt.given)
		if !slices.Equal(differs, tt.want) || !slices.Equal(changed, slices.Concat(tt.given, tt.want)) {
			t.Errorf("of %q they have %q, of which %q differ; want %q", tt.given, changed, differs, tt.want)
		}
	}
}

func TestACommandNamesTheVariablesThatDecideWhatIsBuilt(t *testing.T) {
	environ := []string{"A=1", "GODEBUG=x=1", "GOEXPERIMENT=none", "GOEXPERIMENT=jsonv2", "GOFLAGS=-tags=a", "GOARCH=", "GOTRACEBACK=none", "GOPROXY=off"}
	want := []string{"GOTRACEBACK=single", "GOEXPERIMENT=jsonv2", "GOFLAGS=-tags=a", "GODEBUG=x=1"}
	if got := RerunEnviron(environ); !slices.Equal(got, want) {
		t.Errorf("the variables are %q, want %q", got, want)
	}
	if got := RerunEnviron([]string{"A=1"}); got != nil {
		t.Errorf("without such variables they are %q", got)
	}
}

func TestTheLastAssignmentOfAVariableCounts(t *testing.T) {
	environ := []string{"A=1", "AB=2", "A=3=4", "C=", "D"}
	for name, want := range map[string]string{"A": "3=4", "AB": "2", "B": "", "C": "", "D": ""} {
		if got := Getenv(environ, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
