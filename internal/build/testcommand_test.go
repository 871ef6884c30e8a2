package build

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

// commandCases are command lines of gnaw test, and those of go test and the environment they lead to.
var commandCases = []struct {
	name, in, goflags, want, env string
	merged                       string // file that the user's overlay replaces
}{
	{name: "plain go test", in: "-v -overlay=o.json . -args -fuzz=X", want: "-v -overlay=o.json . -args -fuzz=X"},
	{name: "gnaw's flags without fuzzing", in: "-memlimit=1GB .", want: "."},
	{name: "fuzzing", in: "-fuzz=X -v ./p", want: "OVERLAY -fuzz=X -v ./p", env: "GNAW=/bin/gnaw"},
	{
		name: "limits", in: "-fuzz=X -memlimit=24.5MiB -fuzztimeout 90s", want: "OVERLAY -fuzz=X",
		env: "GNAW=/bin/gnaw GNAW_MEMLIMIT=25690112 GNAW_TIMEOUT=1m30s",
	},
	{name: "hooks", in: "-fuzz=X -std=hooks", want: "OVERLAY -fuzz=X", env: "GNAW=/bin/gnaw"},
	{name: "no hooks", in: "-std plain -fuzz=X .", want: "OVERLAY -fuzz=X .", env: "GNAW=/bin/gnaw"},
	{
		name: "dictionaries", in: "-fuzz=X -dict=a.dict -v --dict /b/../c.dict", want: "OVERLAY -fuzz=X -v",
		env: "GNAW=/bin/gnaw GNAW_DICT=DIR/a.dict:/c.dict",
	},
	{
		name: "-C before a dictionary", in: "-C sub -fuzz=X -dict=a.dict", want: "-C sub OVERLAY -fuzz=X",
		env: "GNAW=/bin/gnaw GNAW_DICT=DIR/sub/a.dict",
	},
	{
		name: "instrument", in: "-instrument=./...,strings -fuzz=X",
		want: "OVERLAY -gcflags=all=-D -gcflags=./...= -gcflags=strings= -fuzz=X", env: "GNAW=/bin/gnaw",
	},
	{
		name: "-C stays first", in: "-C sub -fuzz=X -overlay=o.json", want: "-C sub OVERLAY -fuzz=X",
		env: "GNAW=/bin/gnaw", merged: "sub/c.go",
	},
	{name: "overlay", in: "-fuzz=X -overlay o.json .", want: "OVERLAY -fuzz=X .", env: "GNAW=/bin/gnaw", merged: "a.go"},
	{
		name: "overlay in GOFLAGS", in: "-fuzz=X", goflags: "-overlay=o.json", want: "OVERLAY -fuzz=X",
		env: "GNAW=/bin/gnaw", merged: "a.go",
	},
	{
		name: "argument wins over GOFLAGS", in: "-fuzz=X -overlay=sub/o.json", goflags: "-overlay=absent.json",
		want: "OVERLAY -fuzz=X", env: "GNAW=/bin/gnaw", merged: "c.go",
	},
}

func TestTestCommand(t *testing.T) {
	cache := testkit.OwnCache(t)
	dir := testkit.Unpack(t, "-- o.json --\n{\"Replace\": {\"a.go\": \"b.go\"}}\n-- sub/o.json --\n{\"Replace\": {\"c.go\": \"d.go\"}}\n")
	tc := toolchain.Find(t, "")
	tc.Env = []string{"GOROOT=link"}
	for _, tt := range commandCases {
		t.Run(tt.name, func(t *testing.T) {
			tc := tc
			tc.Flags = tt.goflags
			argv, env, err := TestCommand(tc, strings.Fields(tt.in), Options{Dir: dir, Gnaw: "/bin/gnaw"})
			if err != nil {
				t.Fatal(err)
			}
			var overlay string
			for i, a := range argv {
				if file, ok := strings.CutPrefix(a, "-overlay="); ok && gocommand.Below(file, cache) {
					overlay, argv[i] = file, "OVERLAY"
				}
			}
			if got, want := strings.Join(argv, " "), strings.TrimSpace(tc.Go+" test "+tt.want); got != want {
				t.Errorf("argv = %q, want %q", got, want)
			}
			env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, PlainEnv+"=") })
			if got, want := strings.Join(env, " "), strings.TrimSpace("GOROOT=link "+strings.ReplaceAll(tt.env, "DIR", dir)); got != want {
				t.Errorf("env = %q, want %q", got, want)
			}
			if tt.merged != "" {
				text, err := os.ReadFile(overlay)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Contains(t, "overlay", string(text), filepath.Join(dir, tt.merged), "gnaw/probe/host/built.go")
			}
		})
	}
}

// go test does not accept -coverprofile together with -fuzz.
func TestTestCommandDoesNotPassFlagsOfCoverageToARunThatFuzzes(t *testing.T) {
	testkit.OwnCache(t)
	dir := t.TempDir()
	for in, want := range map[string]struct {
		args    string
		profile *Profile
	}{
		"-fuzz=X -coverprofile=c.out ./p": {"-fuzz=X ./p", &Profile{File: filepath.Join(dir, "c.out")}},
		"-cover -coverprofile c.out -coverpkg ./a,b -covermode=set -fuzz X . -args -coverprofile=x": {
			"-fuzz X . -args -coverprofile=x", &Profile{File: filepath.Join(dir, "c.out"), Packages: []string{"./a", "b"}},
		},
		"-fuzz=X -test.coverprofile=/c.out -outputdir=/o": {"-fuzz=X -outputdir=/o", &Profile{File: "/c.out"}},
		"-C sub -fuzz=X -coverprofile=c.out":              {"-fuzz=X", &Profile{File: filepath.Join(dir, "sub", "c.out")}},
		"-fuzz=X -cover -coverpkg=./...":                  {"-fuzz=X -cover -coverpkg=./...", nil},
		"-run=X -coverprofile=c.out":                      {"-run=X -coverprofile=c.out", nil},
	} {
		argv, env, err := TestCommand(toolchain.Find(t, ""), strings.Fields(in), Options{Dir: dir, Gnaw: "/bin/gnaw"})
		if err != nil {
			t.Fatal(err)
		}
		argv = slices.DeleteFunc(argv[2:], func(a string) bool { return strings.HasPrefix(a, "-overlay=") || a == "-C" || a == "sub" })
		if got := strings.Join(argv, " "); got != want.args {
			t.Errorf("%s: go test gets %q, want %q", in, got, want.args)
		}
		var got *Profile
		for _, v := range env {
			if text, ok := strings.CutPrefix(v, ProfileEnv+"="); ok {
				got = new(Profile)
				if err := json.Unmarshal([]byte(text), got); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !reflect.DeepEqual(got, want.profile) {
			t.Errorf("%s: the profile is %+v, want %+v", in, got, want.profile)
		}
	}
	_, _, err := TestCommand(toolchain.Find(t, ""), []string{"-fuzz=X", "-coverprofile=c.out", "-covermode=most"}, Options{Dir: dir})
	var usage *gocommand.UsageError
	if !errors.As(err, &usage) || usage.Flag != "covermode" {
		t.Errorf("a mode that does not exist: %v", err)
	}
}

// Flags that are about tests, coverage or fuzzing do not count: a test binary that `go test -c` makes has none of these.
func TestTestCommandTellsHowToBuildWithoutInstrumentation(t *testing.T) {
	testkit.OwnCache(t)
	dir := t.TempDir()
	begun := time.Now().Round(0) // as JSON has it
	for in, want := range map[string]PlainBuild{
		"-fuzz=X -v -cover ./p":                   {Dir: dir},
		"-tags a,b -fuzz=X -race . -mod=mod":      {Dir: dir, Flags: []string{"-tags", "a,b", "-race", "-mod=mod"}},
		"-C sub -fuzz=X -memlimit=1GB -modfile m": {Dir: filepath.Join(dir, "sub"), Flags: []string{"-modfile", "m"}},
		"-fuzz=X -instrument=./... -count=1":      {Dir: dir},
		"-fuzz=X . -args -race":                   {Dir: dir},
	} {
		_, env, err := TestCommand(toolchain.Find(t, ""), strings.Fields(in), Options{Dir: dir, Gnaw: "/bin/gnaw"})
		if err != nil {
			t.Fatal(err)
		}
		var got PlainBuild
		for _, v := range env {
			if text, ok := strings.CutPrefix(v, PlainEnv+"="); ok {
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got.Begun.Before(begun) {
			t.Errorf("%s: it has begun at %v, want after %v", in, got.Begun, begun)
		}
		if got.Begun = (time.Time{}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
}

func TestTestCommandErrors(t *testing.T) {
	testkit.OwnCache(t)
	tc := toolchain.Find(t, "")
	for _, tt := range []struct {
		in, goflags, dir string
		usage            bool
		want             []string
	}{
		{in: "-memlimit=lots", usage: true, want: []string{"-memlimit", "lots", "512MiB"}},
		{in: "-memlimit=-1", usage: true, want: []string{"-memlimit", "-1"}},
		{in: "-memlimit=16383KiB", usage: true, want: []string{"-memlimit", "16383KiB", "at least 16MiB"}},
		{in: "-memlimit=0", usage: true, want: []string{"-memlimit", "0"}},
		{in: "-memlimit=NaN", usage: true, want: []string{"-memlimit"}},
		{in: "-memlimit=1e30GB", usage: true, want: []string{"-memlimit"}},
		{in: ". -memlimit", usage: true, want: []string{"-memlimit", "no value"}},
		{in: "-dict=", usage: true, want: []string{"-dict", "no value", "dictionary file"}},
		{in: "-dict=a:b", usage: true, want: []string{"-dict", "a:b", "without :"}},
		{in: "-dict=w.dict", dir: "/c:d", usage: true, want: []string{"-dict", "w.dict", "folder without :", "/c:d"}},
		{in: "-fuzztimeout=10", usage: true, want: []string{"-fuzztimeout", "10", "500ms"}},
		{in: "-fuzztimeout=-1s", usage: true, want: []string{"-fuzztimeout"}},
		{in: "-std=fancy", usage: true, want: []string{"-std", "fancy", "hooks or plain"}},
		{in: "-instrument=a,,b", usage: true, want: []string{"-instrument", "a,,b", "patterns"}},
		{in: "-instrument=a=b", usage: true, want: []string{"-instrument", "a=b"}},
		{in: "-instrument=-d", usage: true, want: []string{"-instrument"}},
		{in: "-fuzz=X -instrument=./... -gcflags=-l", want: []string{"-instrument", "-gcflags"}},
		{in: "-fuzz=X -instrument=./...", goflags: "-gcflags=-l", want: []string{"-instrument", "-gcflags"}},
		{in: "-fuzz=X", goflags: `"-v`, want: []string{"GOFLAGS", "quote"}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			tc := tc
			tc.Flags = tt.goflags
			_, _, err := TestCommand(tc, strings.Fields(tt.in), Options{Dir: tt.dir})
			if err == nil {
				t.Fatal("no error")
			}
			var usage *gocommand.UsageError
			if ok := errors.As(err, &usage); ok != tt.usage {
				t.Errorf("error %v is a UsageError: %v, want %v", err, ok, tt.usage)
			}
			testkit.Contains(t, "error", err.Error(), tt.want...)
		})
	}
}

func TestDictionariesAndCoveredPackagesAreCheckedBeforeAnythingIsMade(t *testing.T) {
	tc := toolchain.Find(t, "")
	cache := testkit.OwnCache(t)
	dir := t.TempDir()
	refusal := errors.New("no words")
	var got, covered []string
	opt := Options{Dir: dir, Check: func(files []string, c CoverOptions) error { got, covered = files, c.Patterns; return refusal }}
	if _, _, err := TestCommand(tc, []string{"-fuzz=X", "-dict=a.dict", "-dict=b.dict"}, opt); !errors.Is(err, refusal) {
		t.Errorf("TestCommand: %v, want the error of the check", err)
	}
	if want := []string{filepath.Join(dir, "a.dict"), filepath.Join(dir, "b.dict")}; !slices.Equal(got, want) {
		t.Errorf("%q are checked, want %q", got, want)
	}
	if made, err := os.ReadDir(cache); len(made) > 0 {
		t.Errorf("there is %v in the cache (%v)", made, err)
	}
	for arguments, want := range map[string][]string{
		"-fuzz=X -coverprofile=c.out -coverpkg=./a,b/...": {"./a", "b/..."},
		"-fuzz=X -coverpkg=./a":                           nil, // the go command reads it
		"-fuzz=X -coverprofile=c.out":                     nil,
	} {
		if _, _, err := TestCommand(tc, strings.Fields(arguments), opt); !errors.Is(err, refusal) || !slices.Equal(covered, want) {
			t.Errorf("%s: %q are checked, want %q (%v)", arguments, covered, want, err)
		}
	}
	if _, _, err := TestCommand(tc, []string{"-dict=a.dict"}, opt); err != nil {
		t.Errorf("without -fuzz: %v", err)
	}
}
