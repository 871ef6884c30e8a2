package gocommand

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

func TestPatternsWithAFolderBecomeImportPaths(t *testing.T) {
	dir := testkit.Unpack(t, "-- go.mod --\nmodule example.com/m\n-- a/a.go --\npackage a\n-- other/go.mod --\nmodule example.com/other\n-- other/b/b.go --\npackage b\n")
	for _, tt := range []struct{ name, from, flag, want string }{
		{"the folder itself", "a", "-gcflags=.=", "-gcflags=example.com/m/a="},
		{"all below the root", "", "-gcflags=./...=", "-gcflags=example.com/m/...="},
		{"all below a folder", "", "-gcflags=./a/...=-N -l", "-gcflags=example.com/m/a/...=-N -l"},
		{"names that begin alike", "", "-gcflags=./a...=", "-gcflags=example.com/m/a...="},
		{"the folder above", "a", "-gcflags=../...=", "-gcflags=example.com/m/...="},
		{"another module in a folder", "", "-gcflags=./other/b=", "-gcflags=example.com/other/b="},
		{"an import path", "", "-gcflags=example.com/...=", "-gcflags=example.com/...="},
		{"all packages", "", "-gcflags=all=-D", "-gcflags=all=-D"},
		{"no pattern", "", "-gcflags=-N", "-gcflags=-N"},
		{"another flag", "", "-ldflags=./...=", "-ldflags=./...="},
		{"a folder outside of modules", "", "-gcflags=../=", "-gcflags=../="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ByImportPath([]string{tt.flag}, filepath.Join(dir, tt.from)); !slices.Equal(got, []string{tt.want}) {
				t.Errorf("byImportPath(%s) = %s, want %s", tt.flag, got, tt.want)
			}
		})
	}
}
