package gocommand

import (
	"path/filepath"
	"strings"
	"testing"
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
			got, err := ParseTestArgs(strings.Fields(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			goflags, err := SplitGoflags(tt.goflags)
			if err != nil {
				t.Fatal(err)
			}
			if got.Fuzzes(goflags) != tt.fuzz {
				t.Errorf("fuzzes(%q) with GOFLAGS=%q = %v, want %v", tt.in, tt.goflags, !tt.fuzz, tt.fuzz)
			}
			want := tt.rest
			if want == "" {
				want = tt.in
			}
			if rest := strings.Join(got.Rest, " "); rest != want {
				t.Errorf("rest of %q = %q, want %q", tt.in, rest, want)
			}
		})
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
