package focus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// TestSettingsOfGitDoNotChangeWhatARangeChanges compares with the lines that are changed without any setting.
func TestSettingsOfGitDoNotChangeWhatARangeChanges(t *testing.T) {
	const lines = "package p\n\nfunc a() {}\n\n// 5\n// 6\n// 7\nfunc b() {}\n"
	changed := strings.NewReplacer("a()", "a2()", "b()", "b2()").Replace(lines)
	for _, tt := range []struct {
		name       string
		config     []string // key and value by turns
		attributes string
		environ    []string
	}{
		{name: "none"},
		{name: "hunks that are near are joined", config: []string{"diff.interHunkContext", "10"}},
		{name: "lines around changes", config: []string{"diff.context", "5"}},
		{name: "no prefixes", config: []string{"diff.noprefix", "true"}},
		{name: "other prefixes", config: []string{"diff.mnemonicPrefix", "true", "diff.srcPrefix", "x/", "diff.dstPrefix", "y/"}},
		{name: "renames", config: []string{"diff.renames", "copies"}},
		{name: "another algorithm", config: []string{"diff.algorithm", "patience", "diff.indentHeuristic", "false"}},
		{name: "colors", config: []string{"color.ui", "always", "color.diff", "always", "diff.colorMoved", "zebra", "diff.wsErrorHighlight", "all"}},
		{name: "names relative to the folder", config: []string{"diff.relative", "true"}},
		{name: "quoted names", config: []string{"core.quotePath", "true"}},
		{name: "an order of files that is not there", config: []string{"diff.orderFile", "nowhere"}},
		{name: "another program", config: []string{"diff.external", "false"}},
		{name: "another program in the environment", environ: []string{"GIT_EXTERNAL_DIFF=false"}},
		{name: "options in the environment", environ: []string{"GIT_DIFF_OPTS=--unified=9"}},
		{name: "literal patterns", environ: []string{"GIT_LITERAL_PATHSPECS=1"}},
		{name: "files are not text", attributes: "*.go -diff"},
		{name: "files are binary", attributes: "*.go binary"},
		{name: "files are converted", attributes: "*.go diff=x", config: []string{"diff.x.textconv", "echo", "diff.x.command", "false", "diff.x.binary", "true"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			root := filepath.Join(top, "m")
			write := func(name, text string) {
				t.Helper()
				path := filepath.Join(top, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			names := []string{"m/p.go", "m/über und/q.go", "sibling/s.go"}
			for _, name := range names {
				write(name, lines)
			}
			write(".gitattributes", tt.attributes+"\n")
			testkit.Git(t, top, "init", "--quiet")
			testkit.Commit(t, top, "first")
			for _, name := range names {
				write(name, changed)
			}
			testkit.Commit(t, top, "second")
			for i := 0; i < len(tt.config); i += 2 {
				testkit.Git(t, top, "config", tt.config[i], tt.config[i+1])
			}
			f := &finder{src: &Source{Root: root}, git: func(ctx context.Context, args ...string) (string, error) {
				return project.Git(ctx, append(os.Environ(), tt.environ...), root, args...)
			}}
			repo, err := f.repository(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, revisions := range [][]string{{"HEAD~1"}, {"HEAD~1", "HEAD"}} {
				got, err := f.diff(t.Context(), repo, revisions...)
				if err != nil {
					t.Fatal(err)
				}
				real, err := filepath.EvalSymlinks(top)
				if err != nil {
					t.Fatal(err)
				}
				want := []string{filepath.Join(root, "p.go"), filepath.Join(root, "über und", "q.go"), filepath.Join(real, "sibling", "s.go")}
				for _, file := range want {
					if hunks := []hunk{{3, 1, 3, 1}, {8, 1, 8, 1}}; !slices.Equal(got[file], hunks) {
						t.Errorf("%v of %s are changed, want %v", got[file], file, hunks)
					}
				}
				if len(got) != len(want) {
					t.Errorf("the files are %v, want %v", fmt.Sprint(got), want)
				}
			}
		})
	}
}

func TestARangeMayChangeModulesThatAreFolders(t *testing.T) {
	type module = struct {
		Main    bool
		Replace *struct{ Version string }
	}
	for _, tt := range []struct {
		name   string
		p      listed
		wanted bool
	}{
		{"the main module, or one of a workspace", listed{Module: &module{Main: true}}, true},
		{"a folder in the place of a module", listed{Module: &module{Replace: &struct{ Version string }{}}}, true},
		{"a module in the place of another", listed{Module: &module{Replace: &struct{ Version string }{"v1.0.0"}}}, false},
		{"a dependency", listed{Module: &module{}}, false},
		{"the standard library", listed{Standard: true}, false},
	} {
		src := Source{}
		if got := src.wanted([]*listed{&tt.p}, []string{"HEAD~1.."})(&tt.p); got != tt.wanted {
			t.Errorf("%s: wanted = %v, want %v", tt.name, got, tt.wanted)
		}
	}
}

func TestAFileConcernsTargetsIfAPackageOfATestBinaryIsInItsFolder(t *testing.T) {
	root, sibling := filepath.FromSlash("/repo/svc"), filepath.FromSlash("/repo/shared")
	f := &finder{src: &Source{Root: root}, graph: &graph{files: map[string][]*function{filepath.Join(sibling, "s.go"): nil}}}
	for name, want := range map[string]bool{
		"/repo/svc/v.go": true, "/repo/svc/sub/w.go": true, "/repo/shared/s.go": true, "/repo/shared/constants.go": true,
		"/repo/shared/other/o.go": false, "/repo/svc2/v.go": false,
	} {
		if got := f.concerns(filepath.FromSlash(name)); got != want {
			t.Errorf("concerns(%s) = %v, want %v", name, got, want)
		}
	}
}
