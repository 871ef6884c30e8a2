package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestWordsThatMayFollow(t *testing.T) {
	for _, tt := range []struct {
		name, typed string // the last word may be empty
		also        also
		want        string // some of the words
		not         string // none of the words
	}{
		{"a command, or the folder of a package", "co", dirs, "corpus cover completion", "fuzz"},
		{"flags of a command", "fuzz -fuz", nothing, "-fuzz= -fuzztime= -fuzzminimizetime=", "-failfast -parallel="},
		{"flags without a command are those of fuzz", "-failf", nothing, "-failfast", "-fuzztime="},
		{"flags with two hyphens", "fuzz --fuzzt", nothing, "--fuzztime=", "-fuzztime="},
		{"the values of a flag", "fuzz -ui=", nothing, "-ui=tui -ui=plain -ui=json", "plain"},
		{"a value in a word of its own", "fuzz -std p", nothing, "plain", "hooks -std=plain"},
		{"one of several values", "fuzz -oracles=alloc,g", nothing, "-oracles=alloc,growth", "-oracles=growth"},
		{"a flag whose value is optional takes no next word", "fuzz -deps ", dirs, "", "std"},
		{"the optional value of a flag", "fuzz -deps=o", nothing, "-deps=only", "-deps=std"},
		{"a file of a flag", "fuzz -sarif=out", files, "", "-sarif="},
		{"packages of a flag", "fuzz -instrument=./p", dirs, "", ""},
		{"packages behind flags", "fuzz -v ", dirs, "", "fuzz"},
		{"what the test binary gets", "fuzz -args ", files, "", "fuzz"},
		{"formats of a corpus", "corpus export -format=oss", nothing, "-format=ossfuzz-v1 -format=ossfuzz-v2", "-format=afl"},
		{"actions of a command", "corpus m", files, "merge migrate", "distill"},
		{"an optional action", "known ", nothing, "add", ""},
		{"no action behind an action", "corpus merge ", files, "", "merge"},
		{"shells", "completion ", nothing, "bash zsh fish", ""},
		{"pages of help", "help e", nothing, "exit environment", "fuzz"},
		{"files of findings", "minimize ", files, "", ""},
		{"a command that does not exist", "fuz ", nothing, "", ""},
		{"a flag that does not exist", "fuzz -nosuch=x", nothing, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := answerTo(commands(), strings.Split(tt.typed, " "))
			var words []string
			for _, w := range a.words {
				words = append(words, w.text)
			}
			if a.also != tt.also {
				t.Errorf("gnaw %s: %s may follow, want %s", tt.typed, a.also, tt.also)
			}
			for _, w := range strings.Fields(tt.want) {
				if !slices.Contains(words, w) {
					t.Errorf("gnaw %s: the words are %q, want %s too", tt.typed, words, w)
				}
			}
			for _, w := range strings.Fields(tt.not) {
				if slices.Contains(words, w) {
					t.Errorf("gnaw %s: the words are %q, and %s is not one", tt.typed, words, w)
				}
			}
		})
	}
}

// A word that a shell gets is what gnaw takes: each value of a flag that help lists is one.
func TestEveryValueThatAShellCompletesIsTaken(t *testing.T) {
	for _, c := range commands() {
		if c.flags == nil {
			continue
		}
		for _, text := range c.flags().texts {
			for _, name := range text.names {
				for _, w := range c.flags().answer("", name, "").words {
					if err := c.flags().Set(name, w.text); err != nil {
						t.Errorf("gnaw %s -%s=%s: %v", c.name, name, w.text, err)
					}
				}
			}
		}
	}
}

func TestTheWordsComeWithTheirDescriptions(t *testing.T) {
	var out bytes.Buffer
	if code := Main(t.Context(), Env{Args: []string{wordsCommand, "fuzz", "-failf"}, Stdout: &out, Stderr: &out}); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if want := "nothing\n-failfast\tstop at the first bug\n"; out.String() != want {
		t.Errorf("gnaw prints\n%s\nwant\n%s", out.String(), want)
	}
}
