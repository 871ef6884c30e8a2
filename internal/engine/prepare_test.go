package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestManyBadFilesOfTheCacheAreAFewWarnings(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.MaxExecs = 10
	l.cache("good")
	for i := range 100 {
		if err := os.WriteFile(filepath.Join(l.opts.CacheDir, fmt.Sprintf("bad%d", i)), []byte("bad"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	warnings := warningsOf(l)
	if len(warnings) != skippedShown+1 || !strings.Contains(warnings[skippedShown].Text, "skipping 97 more files of the corpus cache") {
		t.Errorf("the warnings are %v, want three files and one line for the rest", warnings)
	}
	if out.Final.WarmTotal != 2 {
		t.Errorf("the warm-up has %d inputs, want the seed and the good file", out.Final.WarmTotal)
	}
}
