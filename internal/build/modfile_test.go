package build

import "testing"

func TestAFolderReplacesAllVersionsOfAModule(t *testing.T) {
	const want = "module m\n\nrequire example.com/d v1.0.0\n\nreplace example.com/other => ../other\n\nreplace example.com/d => /copy/d@v1.0.0\n"
	for _, tt := range []struct{ name, before string }{
		{"none is replaced", ""},
		{"one is replaced", "replace example.com/d => ../d\n\n"},
		{"versions are replaced", "replace example.com/d v1.0.0 => example.com/fork v1.1.0\n\nreplace example.com/d v1.1.0 => ../d\n\n"},
	} {
		text := "module m\n\nrequire example.com/d v1.0.0\n\n" + tt.before + "replace example.com/other => ../other\n"
		got, err := replaced([]byte(text), "example.com/d", "/copy/d@v1.0.0")
		if err != nil || string(got) != want {
			t.Errorf("%s: go.mod is\n%s(%v), want\n%s", tt.name, got, err, want)
		}
	}
	if _, err := replaced([]byte("modul m"), "example.com/d", "/copy"); err == nil {
		t.Error("a go.mod that cannot be read is no error")
	}
}

func TestTheFileThatABuiltFileIsACopyOf(t *testing.T) {
	outside := func(module string) Target {
		return Target{Package: "example.com/d/p", Dir: "/cache/d/p", Outside: &Outside{
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
		{"a file of the main module", Target{Package: "m", Dir: "/m"}, "/m/m.go", "/m/m.go"},
	} {
		if got := tt.target.Original(tt.file); got != tt.want {
			t.Errorf("%s: it is %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := outside("").ModulePath(); got != "example.com/d" {
		t.Errorf("the path of the module is %s", got)
	}
}
