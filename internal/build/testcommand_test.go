package build

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// argCases are command lines of gnaw test.
var argCases = []struct {
	name, in string
	goflags  string
	fuzz     bool
	rest     string // empty: as in
}{
	{name: "no arguments"},
	{name: "no fuzzing", in: "-v -run Fuzz ./..."},
	{name: "one argument", in: "-fuzz=X", fuzz: true},
	{name: "two arguments", in: "-fuzz X", fuzz: true},
	{name: "two dashes", in: "--fuzz=X .", fuzz: true},
	{name: "name of the test binary", in: "-test.fuzz=X", fuzz: true},
	{name: "name of the test binary, two arguments", in: "--test.fuzz X", fuzz: true},
	{name: "after the package", in: "./p -fuzz=X", fuzz: true},
	{name: "empty pattern", in: "-fuzz="},
	{name: "the last one counts", in: "-fuzz=X -fuzz="},
	{name: "value of another flag", in: "-run -fuzz=X ."},
	{name: "value of a build flag", in: "-ldflags -fuzz=X ."},
	{name: "boolean flag takes no value", in: "-v -fuzz=X", fuzz: true},
	{name: "after -args", in: ". -args -fuzz=X"},
	{name: "after --args", in: ". --args -fuzz=X -memlimit=1"},
	{name: "after --", in: ". -- -fuzz=X"},
	{name: "after an argument of the test binary", in: "./p -v more -fuzz=X"},
	{name: "after what may be a value of the test binary's flag", in: "./p -custom more -fuzz=X", fuzz: true},
	{name: "after a value of the test binary's flag", in: "./p -custom=1 more -fuzz=X"},
	{name: "unknown flag ends the list of packages", in: "-custom -fuzz=X ./p", fuzz: true},
	{name: "without a value", in: ". -fuzz"},
	{name: "fuzztime alone", in: "-fuzztime=1s ."},
	{name: "in GOFLAGS", in: ".", goflags: "-v -fuzz=X", fuzz: true},
	{name: "in GOFLAGS, quoted", in: ".", goflags: "'-ldflags=-X a=b' \"-fuzz=X y\"", fuzz: true},
	{name: "in a value in GOFLAGS", in: ".", goflags: "'-ldflags=-fuzz=X -fuzz=Y'"},
	{name: "overridden GOFLAGS", in: "-fuzz= .", goflags: "-fuzz=X"},
	{
		name: "gnaw's flags", in: "-memlimit=1GB -fuzz X --fuzztimeout 2s -instrument ./... . -v", fuzz: true,
		rest: "-fuzz X . -v",
	},
	{name: "overlay", in: "-v -overlay=o.json -fuzz=X -overlay p.json .", fuzz: true, rest: "-v -fuzz=X ."},
	{name: "folder", in: "-C dir -fuzz=X .", fuzz: true, rest: "-fuzz=X ."},
	{name: "artifacts of Go 1.26", in: "-artifacts -fuzz=X", fuzz: true},
	{name: "dash alone", in: "- -fuzz=X", fuzz: true},
}

func TestTestArgs(t *testing.T) {
	for _, tt := range argCases {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseTestArgs(strings.Fields(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			goflags, err := splitGoflags(tt.goflags)
			if err != nil {
				t.Fatal(err)
			}
			if got.fuzzes(goflags) != tt.fuzz {
				t.Errorf("fuzzes(%q) with GOFLAGS=%q = %v, want %v", tt.in, tt.goflags, !tt.fuzz, tt.fuzz)
			}
			want := tt.rest
			if want == "" {
				want = tt.in
			}
			if rest := strings.Join(got.rest, " "); rest != want {
				t.Errorf("rest of %q = %q, want %q", tt.in, rest, want)
			}
		})
	}
}

// TestFlagTable holds the table to what the go command itself says about its flags.
func TestFlagTable(t *testing.T) {
	eachToolchain(t, func(t *testing.T, tc Toolchain) {
		seen := 0
		for _, topic := range []string{"build", "testflag", "test"} {
			out, err := tc.output(t.Context(), t.TempDir(), "help", topic)
			if err != nil {
				t.Fatal(err)
			}
			for sc := bufio.NewScanner(strings.NewReader(string(out))); sc.Scan(); {
				line, ok := strings.CutPrefix(sc.Text(), "\t-")
				if !ok || strings.HasPrefix(line, "\t") {
					continue
				}
				name, value, _ := strings.Cut(line, " ")
				name, _, _ = strings.Cut(strings.TrimSuffix(name, ","), "=")
				if name == "args" || name == "test.run" {
					continue
				}
				seen++
				want := boolean
				if value != "" && !strings.HasPrefix(value, "-") {
					want = valued
				}
				if got := testFlags[name]; got != want {
					t.Errorf("kind of -%s = %d, want %d: go help %s has %q", name, got, want, topic, sc.Text())
				}
			}
		}
		if seen < 50 {
			t.Errorf("only %d flags found", seen)
		}
	})
	for name, k := range forwarded {
		if testFlags[name] != k {
			t.Errorf("-test.%s is of kind %d, -%s of kind %d", name, k, name, testFlags[name])
		}
	}
}

func TestSplitGoflags(t *testing.T) {
	for in, want := range map[string][]string{
		"":                           nil,
		"  -v\t-x ":                  {"-v", "-x"},
		`"-ldflags=-s -w" '-run=a"'`: {"-ldflags=-s -w", `-run=a"`},
		`-run="a b"`:                 {`-run="a`, `b"`},
	} {
		if got, err := splitGoflags(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("splitGoflags(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	if _, err := splitGoflags(`"-v`); err == nil {
		t.Error(`splitGoflags("-v with an open quote) gives no error`)
	}
}

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
	cache := ownCache(t)
	dir := unpack(t, "-- o.json --\n{\"Replace\": {\"a.go\": \"b.go\"}}\n-- sub/o.json --\n{\"Replace\": {\"c.go\": \"d.go\"}}\n")
	tc := toolchain(t, "")
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
				if file, ok := strings.CutPrefix(a, "-overlay="); ok && below(file, cache) {
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
				contains(t, "overlay", string(text), filepath.Join(dir, tt.merged), "gnaw/probe/host/built.go")
			}
		})
	}
}

// go test does not accept -coverprofile together with -fuzz.
func TestTestCommandDoesNotPassFlagsOfCoverageToARunThatFuzzes(t *testing.T) {
	ownCache(t)
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
		argv, env, err := TestCommand(toolchain(t, ""), strings.Fields(in), Options{Dir: dir, Gnaw: "/bin/gnaw"})
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
	_, _, err := TestCommand(toolchain(t, ""), []string{"-fuzz=X", "-coverprofile=c.out", "-covermode=most"}, Options{Dir: dir})
	var usage *UsageError
	if !errors.As(err, &usage) || usage.Flag != "covermode" {
		t.Errorf("a mode that does not exist: %v", err)
	}
}

// Flags that are about tests, coverage or fuzzing do not count: a test binary that `go test -c` makes has none of these.
func TestTestCommandTellsHowToBuildWithoutInstrumentation(t *testing.T) {
	ownCache(t)
	dir := t.TempDir()
	begun := time.Now().Round(0) // as JSON has it
	for in, want := range map[string]PlainBuild{
		"-fuzz=X -v -cover ./p":                   {Dir: dir},
		"-tags a,b -fuzz=X -race . -mod=mod":      {Dir: dir, Flags: []string{"-tags", "a,b", "-race", "-mod=mod"}},
		"-C sub -fuzz=X -memlimit=1GB -modfile m": {Dir: filepath.Join(dir, "sub"), Flags: []string{"-modfile", "m"}},
		"-fuzz=X -instrument=./... -count=1":      {Dir: dir},
		"-fuzz=X . -args -race":                   {Dir: dir},
	} {
		_, env, err := TestCommand(toolchain(t, ""), strings.Fields(in), Options{Dir: dir, Gnaw: "/bin/gnaw"})
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
	ownCache(t)
	tc := toolchain(t, "")
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
			var usage *UsageError
			if ok := errors.As(err, &usage); ok != tt.usage {
				t.Errorf("error %v is a UsageError: %v, want %v", err, ok, tt.usage)
			}
			contains(t, "error", err.Error(), tt.want...)
		})
	}
}

func TestDictionariesAndCoveredPackagesAreCheckedBeforeAnythingIsMade(t *testing.T) {
	cache := ownCache(t)
	dir := t.TempDir()
	refusal := errors.New("no words")
	var got, covered []string
	opt := Options{Dir: dir, Check: func(files []string, c CoverOptions) error { got, covered = files, c.Patterns; return refusal }}
	if _, _, err := TestCommand(toolchain(t, ""), []string{"-fuzz=X", "-dict=a.dict", "-dict=b.dict"}, opt); !errors.Is(err, refusal) {
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
		if _, _, err := TestCommand(toolchain(t, ""), strings.Fields(arguments), opt); !errors.Is(err, refusal) || !slices.Equal(covered, want) {
			t.Errorf("%s: %q are checked, want %q (%v)", arguments, covered, want, err)
		}
	}
	if _, _, err := TestCommand(toolchain(t, ""), []string{"-dict=a.dict"}, opt); err != nil {
		t.Errorf("without -fuzz: %v", err)
	}
}

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int64{
		"1": 1, "512": 512, "512B": 512, "1k": 1024, "1KB": 1000, "2MiB": 2 << 20, "1.5GiB": 3 << 29, "2gb": 2e9,
		"1 TiB": 1 << 40, "3T": 3 << 40,
	} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
}

func TestParseMemLimit(t *testing.T) {
	for in, want := range map[string]int64{"off": 0, "16MiB": 16 << 20, "16777216": 16 << 20, "2GB": 2e9} {
		if got, err := ParseMemLimit(in); err != nil || got != want {
			t.Errorf("ParseMemLimit(%q) = %d, %v, want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"1", "16777215", "15.9MiB", "lots", ""} {
		if got, err := ParseMemLimit(in); err == nil || !strings.Contains(err.Error(), "at least 16MiB") {
			t.Errorf("ParseMemLimit(%q) = %d, %v, want an error with the least limit", in, got, err)
		}
	}
}

func TestTestDir(t *testing.T) {
	root, err := filepath.Abs("/")
	if err != nil {
		t.Fatal(err)
	}
	home, other := filepath.Join(root, "home"), filepath.Join(root, "other")
	for in, want := range map[string]string{
		"": home, "-v": home, "-C sub": filepath.Join(home, "sub"), "--C=sub -v": filepath.Join(home, "sub"),
		"-C " + other: other, "-v -C sub": home,
	} {
		if got := TestDir(home, strings.Fields(in)); got != want {
			t.Errorf("TestDir(%q, %q) = %q, want %q", home, in, got, want)
		}
	}
}
