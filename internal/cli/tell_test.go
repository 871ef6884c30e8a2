package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
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
