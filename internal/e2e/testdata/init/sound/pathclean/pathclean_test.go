package pathclean

import "testing"

func TestClean(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"", "."},
		{".", "."},
		{"a//b/./c/..", "a/b"},
		{"/..", "/"},
		{"../../a/../..", "../../.."},
		{"/a/../../b", "/b"},
		{"a/../", "."},
	} {
		if got := Clean(tt.path); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestSplit(t *testing.T) {
	if dir, file := Split("a/b/c.go"); dir != "a/b/" || file != "c.go" {
		t.Error(dir, file)
	}
}

func TestIsLocal(t *testing.T) {
	for path, want := range map[string]bool{"a/b": true, "": false, "..": false, "/a": false, "a/../..": false, "..a": true} {
		if got := IsLocal(path); got != want {
			t.Errorf("IsLocal(%q) = %v", path, got)
		}
	}
}
