package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTwoNamesOfOneFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.WriteFile(at("file"), nil, PrivateFile), os.Link(at("file"), at("link")), os.WriteFile(at("other"), nil, PrivateFile), os.Mkdir(at("folder"), PrivateDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"a file and itself", "file", "file", true},
		{"a file and a hard link to it", "file", "link", true},
		{"two files with one content", "file", "other", false},
		{"a folder and a longer name of it", "folder", "folder/../folder", true},
		{"a file and nothing", "file", "absent", false},
		{"nothing and nothing", "absent", "absent", false},
	} {
		if got := Same(at(tt.a), at(tt.b)); got != tt.want {
			t.Errorf("%s: Same = %v", tt.name, got)
		}
	}
}
