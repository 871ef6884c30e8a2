package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

func TestArgumentsThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"a size that is none", "fuzz -memlimit=lots", "want off, or at least 16MiB: a number of bytes or of a unit, such as 512MiB or 2GB"},
		{"a limit in which no worker runs", "fuzz -memlimit=1", "want off, or at least 16MiB: a number of bytes or of a unit, such as 512MiB or 2GB"},
		{"a standard library that does not exist", "fuzz -std=foo", `gnaw: invalid value "foo" for flag -std: want hooks or plain;`},
		{"patterns that are none", "fuzz -instrument=-x", `for flag -instrument: want package patterns`},
		{"a size of nothing", "minimize -memlimit=0 5870", "want off, or at least 16MiB: a number of bytes or of a unit, such as 512MiB or 2GB"},
		{"a limit of an oracle that is none", "fuzz -oracles=alloc:much", "alloc:much: want a number of bytes or of a unit"},
		{"a corpus of no inputs", "fuzz -maxcorpus=0", "want a number of inputs such as 1000"},
		{"a seed that is no number", "fuzz -seed=first", "want a whole number, such as 1"},
		{"no time for an execution", "minimize -timeout=0s 5870", "-timeout is 0s; it must be more than 0"},
		{"less than no time for an execution", "minimize -timeout=-1s 5870", "-timeout is -1s; it must be more than 0"},
		{"the standard output of a campaign as a file", "fuzz -sarif=-", "-sarif takes a file; `gnaw report -sarif -` prints it"},
		{"a folder as a file of a campaign", "fuzz -junit=.", "-junit .: it is a folder; name a file in it"},
		{"a folder as a file of a report", "report -codequality=.", "-codequality .: it is a folder; name a file in it"},
		{"a number of an input", "show 5870#2", "only repro takes the number of an input; write 5870"},
		{"a flag that is nearly one", "fuzz -fuztime=1s", "; -fuzztime may be meant; `gnaw help fuzz` lists the flags"},
		{"a flag with exchanged letters", "findings -jsno", "; -json may be meant;"},
		{"a flag that is like no other", "fuzz -wobble", "flag provided but not defined: -wobble; `gnaw help fuzz`"},
		{"a command that is nearly one", "bisct 5870", `"bisct" is not a command of gnaw; bisect may be meant;`},
		{"a flag of go test that selects tests", "fuzz -run=X", "not defined: -run; -fuzz selects targets, and `go test -run` runs their seeds; `gnaw help fuzz`"},
		{"a flag of go test that repeats tests", "fuzz -count=1", "-count; -fuzztime takes a number of executions too, as in -fuzztime=1000x;"},
		{"a flag of make", "fuzz -j 4", "-j; -parallel sets the number of workers;"},
		{"a flag whose counterpart the command does not have", "findings -count=1", "not defined: -count; `gnaw help findings`"},
		{"a target in place of a command", "FuzzCode", `"FuzzCode" is not a command of gnaw; write gnaw fuzz -fuzz='^FuzzCode$' for a target of that name;`},
		{"-v alone", "-v", "-v alone can mean two things: `gnaw version` prints the version, and `gnaw fuzz -v` fuzzes"},
		{"a last day that is none", "known add 5870 -reason=old -until=soon", `"soon" for flag -until: want a date such as 2027-03-01;`},
		{"a last day that is over", "known add 5870 -reason=old -until=2020-01-31", "-until 2020-01-31 is in the past; use a later date"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var printed bytes.Buffer
			code := Main(t.Context(), Env{Args: strings.Fields(tt.args), Dir: t.TempDir(), Stdout: &printed, Stderr: &printed})
			if code != exitcode.Usage || !strings.Contains(printed.String(), tt.want) || strings.Contains(printed.String(), "strconv") {
				t.Errorf("gnaw %s exits with %d and prints\n%s", tt.args, code, printed.String())
			}
		})
	}
}

func TestAFlagOrAFolderIsForFuzz(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "fuzz ./...",
		"-fuzztime=1s":       "fuzz -fuzztime=1s",
		"-fuzz=X ./p":        "fuzz -fuzz=X ./p",
		"./p -each=1s":       "fuzz ./p -each=1s",
		".":                  "fuzz .",
		"../q/...":           "fuzz ../q/...",
		"q/... -each=1s":     "fuzz q/... -each=1s",
		"/src/q":             "fuzz /src/q",
		"fuzz -fuzztime=1s":  "fuzz -fuzztime=1s",
		"list ./p":           "list ./p",
		"-h":                 "help",
		"--help":             "help",
		"--version":          "version",
		"-version -json":     "version -json",
		"-V":                 "version",
		"-v ./p":             "fuzz -v ./p",
		"nosuch -fuzztime=1": "nosuch -fuzztime=1",
	} {
		name, args := named(strings.Fields(in))
		if got := strings.Join(append([]string{name}, args...), " "); got != want {
			t.Errorf("gnaw %s is %q, want %q", in, got, want)
		}
	}
}

func TestAFolderInPlaceOfACommandIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "lists"), 0o777); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	code := Main(t.Context(), Env{Args: []string{"lists"}, Dir: dir, Stdout: &printed, Stderr: &printed})
	if want := "gnaw: \"lists\" is not a command of gnaw; write gnaw fuzz ./lists for the folder of that name; `gnaw help` lists them\n"; code != exitcode.Usage || printed.String() != want {
		t.Errorf("it exits with %d and prints\n%swant\n%s", code, printed.String(), want)
	}
}

// Each flag that a hint names is one of gnaw fuzz, and none of the others is.
func TestHintsNameFlagsOfGnawFuzz(t *testing.T) {
	fs := new(fuzzFlags).define(new(budget), new(bool))
	for name, to := range foreign {
		if fs.Lookup(name) != nil || fs.Lookup(to.flag) == nil {
			t.Errorf("the hint about -%s names -%s", name, to.flag)
		}
	}
}

func TestATokenThatCannotBeUsedIsNotPrinted(t *testing.T) {
	for _, args := range []string{"fuzz -http=127.0.0.1:0", "ui"} {
		var printed bytes.Buffer
		code := Main(t.Context(), Env{Args: strings.Fields(args), Environ: []string{tokenVariable + "=S3CRET"}, Dir: t.TempDir(), Stdout: &printed, Stderr: &printed})
		want := "gnaw: GNAW_HTTP_TOKEN: want at least 16 letters of ASCII, digits or characters of -._~, chosen at random\n"
		if code != exitcode.Usage || printed.String() != want {
			t.Errorf("gnaw %s exits with %d and prints\n%s", args, code, printed.String())
		}
	}
}

// full is a device that is full.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

func TestOutputThatIsLostIsAnError(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		code int
		want string
	}{
		{"a full device", syscall.ENOSPC, exitcode.Internal, "gnaw: what it prints is incomplete: no space left on device; let it print elsewhere\n"},
		{"a reader that has gone", syscall.EPIPE, exitcode.OK, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, args := range []string{"help", "version", "help exit"} {
				var printed bytes.Buffer
				code := Main(t.Context(), Env{Args: strings.Fields(args), Dir: t.TempDir(), Stdout: full{tt.err}, Stderr: &printed})
				if code != tt.code || !strings.HasPrefix(printed.String(), tt.want) || strings.Count(printed.String(), "\n") > 1 {
					t.Errorf("gnaw %s exits with %d and prints %q", args, code, printed.String())
				}
			}
		})
	}
}

func TestLostOutputIsReportedOnce(t *testing.T) {
	var printed bytes.Buffer
	code := Main(t.Context(), Env{Args: []string{"version", "-json"}, Dir: t.TempDir(), Stdout: full{syscall.ENOSPC}, Stderr: &printed})
	if code != exitcode.Internal || strings.Count(printed.String(), "\n") != 1 {
		t.Errorf("gnaw version -json exits with %d and prints %q", code, printed.String())
	}
}
