//go:build unix

package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestAFailingInputIsNotWrittenThroughALinkOutOfTheModule(t *testing.T) {
	l := newLab(t)
	l.seeds("seed")
	l.opts.MaxExecs = 10
	l.fuzz = func(_ context.Context, _ *fakeWorker, _ wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		return failing("X", failedAt(7)), nil
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "X" {
			return ranFailing(failedAt(7)), nil
		}
		return pass, nil
	}
	outside := t.TempDir()
	// As a process that was killed would leave it, with a time that says that it is temporary.
	victim := filepath.Join(outside, "victim")
	temporary := time.Unix(46_923_847, 0).Add(time.Hour)
	err := os.WriteFile(victim, []byte("of the user"), 0o600)
	if err == nil {
		err = os.Chtimes(victim, temporary, temporary)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(l.opts.CorpusDir), 0o777)
	}
	if err == nil {
		err = os.Symlink(outside, l.opts.CorpusDir)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || out.Finding == nil {
		t.Fatalf("Fuzz finds %v, %v, want the failure of X", out.Finding, err)
	}
	if f := out.Finding; f.Path != "" || !strings.HasPrefix(f.Kept, l.opts.CacheDir) || !strings.Contains(f.Why, "leads out of the module, to "+outside) {
		t.Errorf("the input is in %q and %q because of %q, want it in the cache because of the link", f.Path, f.Kept, f.Why)
	}
	if names := l.files(outside); len(names) != 1 {
		t.Errorf("the files outside are %q, want the user's only", names)
	}
}
