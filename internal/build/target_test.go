package build

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestOriginalOfAFileOfATestBinary(t *testing.T) {
	outside := func(module string) Target {
		return Target{Name: fuzz.Name{Package: "example.com/d/p"}, Dir: "/cache/d/p", Outside: &Outside{
			Root: "/cache/d", Copy: module, Written: []string{"/m/.gnaw/deps/d@v1/p/fuzz_test.go"},
		}}
	}
	for _, tt := range []struct {
		name       string
		target     Target
		file, want string
	}{
		{"a source file of the module", outside("/copy/d"), "/copy/d/q/q.go", "/cache/d/q/q.go"},
		{"a file with targets", outside("/copy/d"), "/copy/d/p/fuzz_test.go", "/m/.gnaw/deps/d@v1/p/fuzz_test.go"},
		{"a file with the same name elsewhere", outside("/copy/d"), "/copy/d/q/fuzz_test.go", "/cache/d/q/fuzz_test.go"},
		{"a file of another module", outside("/copy/d"), "/copy/dd/p.go", "/copy/dd/p.go"},
		{"a source file of a module that is no copy", outside(""), "/cache/d/p/p.go", "/cache/d/p/p.go"},
		{"a file with targets of a module that is no copy", outside(""), "/cache/d/p/fuzz_test.go", "/m/.gnaw/deps/d@v1/p/fuzz_test.go"},
		{"a file of the main module", Target{Name: fuzz.Name{Package: "m"}, Dir: "/m"}, "/m/m.go", "/m/m.go"},
	} {
		if got := tt.target.Original(tt.file); got != tt.want {
			t.Errorf("%s: the original is %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := outside("").ModulePath(); got != "example.com/d" {
		t.Errorf("the path of the module is %s", got)
	}
}
