package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

func TestOnlyFilesOfThisRunAreForgotten(t *testing.T) {
	for _, tt := range []struct {
		name    string
		own     bool
		history bool
		age     time.Duration // of the file, by a clock that may have been set since
		stays   bool
	}{
		{"one that this run has made", true, true, 0, false},
		{"one that this run has made before the clock was set forward", true, true, 1000 * time.Hour, false},
		{"not one of the user's, although the clock was set back", false, true, -1000 * time.Hour, true},
		{"not one that the history does not have", true, false, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := memberOf(new(bytes.Buffer))
			c := m.console
			c.project.root = t.TempDir()
			c.history = &history{}
			if tt.history {
				s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = s.Close() })
				c.history.store = s
			}
			path := filepath.Join(c.project.root, "file")
			at := time.Now().Add(-tt.age)
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			c.forget(finding.Record{Path: "file"}, &finding.Finding{Own: tt.own})
			if _, err := os.Stat(path); (err == nil) != tt.stays {
				t.Errorf("the file is there: %v, want %v", err == nil, tt.stays)
			}
		})
	}
}

// A smaller input takes the place of the one that a finding was told with, whose file is no longer needed.
func TestAFindingGetsASmallerInput(t *testing.T) {
	for _, tt := range []struct {
		name string
		own  bool // the first file is gnaw's
		size int  // of the later input
		want int  // of the input that the finding has then
		left int  // files
	}{
		{"that is smaller", true, 2, 2, 1},
		{"that is smaller than one of the user's", false, 2, 2, 2},
		{"unless it is larger", true, 9, 5, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := memberOf(&out)
			c := m.console
			c.ctx, c.project.root = t.Context(), t.TempDir()
			m.target.Dir = c.project.root
			s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			c.history = &history{store: s, env: c.env, project: c.project}
			c.history.begin(t.Context(), c.flags, "here")
			found := func(size int, own bool) *finding.Finding {
				a := input.Args{{Kind: input.String, Data: bytes.Repeat([]byte("x"), size)}}
				path, _, err := corpus.Save(filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name), a)
				if err != nil {
					t.Fatal(err)
				}
				return &finding.Finding{
					Kind: finding.Panic, Message: "gone", Place: "p.F p.go:3", Input: a, Original: a, Path: path, Own: own, Replays: 3, Failures: 3,
				}
			}
			id, _ := c.report(t.Context(), m.target, found(5, tt.own))
			c.renew(m, found(tt.size, true))
			all, err := s.Findings(t.Context(), c.project.module)
			if err != nil || len(all) != 1 {
				t.Fatalf("Findings = %+v, %v, want one; it says\n%s", all, err, out.String())
			}
			if r := all[0]; r.ID != id || r.Size != tt.want || r.Times != 1 || len(r.More) != 1 {
				t.Errorf("the finding is %+v, want it with %d bytes and another input", r, tt.want)
			}
			names, err := filepath.Glob(filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name, "*"))
			if err != nil || len(names) != tt.left {
				t.Errorf("the files are %v, %v, want %d", names, err, tt.left)
			}
		})
	}
}

// A target that go test does not run may remove its corpus. The files that its findings have in the end are there then, and no others.
func TestTheFilesThatFindingsHaveAreWrittenAgain(t *testing.T) {
	m := memberOf(new(bytes.Buffer))
	c := m.console
	c.ctx, c.project.root = t.Context(), t.TempDir()
	m.target.Dir = c.project.root
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c.history = &history{store: s, env: c.env, project: c.project}
	c.history.begin(t.Context(), c.flags, "here")
	dir := filepath.Join(m.target.Dir, "testdata", "fuzz", m.target.Name)
	found := func(message, text string) *finding.Finding {
		a := input.Args{{Kind: input.String, Data: []byte(text)}}
		path, _, err := corpus.Save(dir, a)
		if err != nil {
			t.Fatal(err)
		}
		return &finding.Finding{
			Kind: finding.Panic, Message: message, Place: "p.F p.go:3", Input: a, Original: a, Path: path, Own: true, Replays: 3, Failures: 3,
			NotRun: "FuzzX calls Skip there",
		}
	}
	m.found(found("gone", "the first"))
	m.found(found("gone", "another one of it"))
	m.found(found("lost", "the second"))
	c.renew(m, found("gone", "first"))
	if err := os.RemoveAll(filepath.Join(m.target.Dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	c.restore(m)
	var texts []string
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		a, err := corpus.Read(name, []input.Kind{input.String})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(a[0].Data))
	}
	slices.Sort(texts)
	if want := []string{"first", "the second"}; !slices.Equal(texts, want) {
		t.Errorf("there are files with %q, want %q", texts, want)
	}
}
