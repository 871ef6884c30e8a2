package survey

import (
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

func TestCodeDescribesWhatAFunctionDoes(t *testing.T) {
	p := load(t, map[string]string{"p.go": `package p

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

type T struct{ n int }

func (t *T) UnmarshalJSON(data []byte) error { return t.read(string(data)) }

func (t *T) read(s string) error {
	for range s {
		t.n++
	}
	return nil
}

func (t *T) Len() int { return t.n }

func Word(s string) (int, error) {
	switch s {
	case "a":
		return 1, nil
	}
	return 0, errors.New("no word: " + strconv.Quote(s))
}

func First(s string) byte { return s[0] }

func Lower(s string) string { return strings.ToLower(names[1]) + s }

func Fixed() string { return names[0] }

var names = [2]string{"a", "b"}

func Wrap(s string) (int, error) { return Word(strings.ToLower(s)) }

func Load(r io.Reader) (*T, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	t := &T{}
	return t, json.Unmarshal(data, t)
}

func None(s string) (*T, error) {
	if s == "" {
		return nil, nil
	}
	return New(s)
}

func Again(s string) (*T, error) { return None(s) }

func New(s string) (*T, error) { return &T{n: len(s)}, nil }

func Any(s string) (v any, err error) {
	err = json.Unmarshal([]byte(s), &v)
	return v, err
}

func Loop(s string) int {
	if s == "" {
		return 0
	}
	return Loop(strings.ToLower(s))
}

func CallsLoop(s string) int { return Loop(s) }

func Digits(s string) string {
	digits := regexp.MustCompile("^[0-9]+$").FindString(s)
	return digits
}

func Pattern(s string) string {
	match := regexp.MustCompile(s).FindString(s)
	return match
}

func Rest(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, err
	}
	rest := 100
	rest %= n
	return rest, nil
}

func As(v any) bool {
	_, ok := v.(string)
	return ok
}

func Must(v any) string { return v.(string) }
`})
	for _, tt := range []struct{ key, passes, flags string }{
		{"T.UnmarshalJSON", "T.read", "changes"},
		{"T.Len", "", ""},
		{"Word", "", "simple compares"},
		{"First", "", ""},
		{"Fixed", "", ""},
		{"Lower", "", "simple compares"},
		{"Wrap", "Word", "simple compares"},
		{"Load", "T.UnmarshalJSON T.read", ""},
		{"None", "New", "simple compares nil"},
		{"Again", "New None", "simple compares nil"},
		{"New", "", ""},
		{"Any", "", "simple"},
		{"Loop", "Loop", ""},
		{"CallsLoop", "Loop", ""},
		{"Digits", "", "simple"},
		{"Pattern", "", ""},
		{"Rest", "", ""},
		{"As", "", ""},
		{"Must", "", ""},
	} {
		own := p.Func(tt.key).Code
		var passes, flags []string
		for f := range own.Passes {
			passes = append(passes, code.LocalName(f))
		}
		slices.Sort(passes)
		for _, flag := range []struct {
			name string
			is   bool
		}{{"simple", own.Simple}, {"compares", own.Compares}, {"changes", own.Changes}, {"nil", own.MayBeNil}} {
			if flag.is {
				flags = append(flags, flag.name)
			}
		}
		if got := strings.Join(passes, " "); got != tt.passes {
			t.Errorf("%s passes its text to %q, want %q", tt.key, got, tt.passes)
		}
		if got := strings.Join(flags, " "); got != tt.flags {
			t.Errorf("%s is %q, want %q", tt.key, got, tt.flags)
		}
	}
}

func TestMethodsThatChangeTheirReceiverAreFound(t *testing.T) {
	p := load(t, map[string]string{"p.go": `package p

type T struct{ m map[string]int }

func (t *T) Set(s string)        { t.m[s] = 1 }
func (t *T) Add(s string)        { t.Set(s) }
func (t *T) Get(s string) int    { return t.m[s] }
func (t *T) Copy(s string) *T    { u := &T{}; u.Set(s); return u }
`})
	for key, want := range map[string]bool{"T.Set": true, "T.Add": true, "T.Get": false, "T.Copy": false} {
		if got := p.Func(key).Code.Changes; got != want {
			t.Errorf("%s changes its receiver: %v, want %v", key, got, want)
		}
	}
}
