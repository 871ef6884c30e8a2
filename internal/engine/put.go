package engine

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

// put writes the input of a finding where go test runs it, and holds the file until keep. Where that cannot be done, as in a
// module that is read only, the input goes to the cache, and the finding says why; on a full disk it may be in the finding
// only.
func (r *run) put(f *finding.Finding) {
	f.Kept, f.Why = "", ""
	if err := r.write(f); err != nil {
		KeepElsewhere(f, r.CacheDir, err)
	}
}

// KeepElsewhere writes the input of a finding to the cache at dir, because it cannot be written where go test runs it. An empty
// dir is no cache.
func KeepElsewhere(f *finding.Finding, dir string, why error) {
	f.Path, f.Kept, f.Own, f.Why = "", "", false, why.Error()
	var errno syscall.Errno
	if errors.As(why, &errno) {
		f.Why = errno.Error() // where is known
	}
	if dir == "" {
		return
	}
	if path, isNew, err := corpus.Save(dir, f.Input); err == nil {
		f.Kept, f.Own = path, isNew
	}
}

// write writes the input of a finding, and holds its file until keep.
func (r *run) write(f *finding.Finding) (err error) {
	h, own, err := corpus.Take(r.WriteDir, f.Input)
	if err != nil {
		return err
	}
	r.hold(f, h, own)
	return nil
}

// hold notes the file of a finding, with its path as the user shall see it, and returns the one before; nil: there was none. A file that
// is not gnaw's own may be the user's.
func (r *run) hold(f *finding.Finding, h *corpus.Hold, own bool) (before *corpus.Hold) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, r.held[f] = r.held[f], h
	f.Path, f.Own = r.CorpusDir+h.Path()[len(r.WriteDir):], own
	return before
}

// keep has the file of a finding stay. Until then no other gnaw removes it; then it is known to the user.
func (r *run) keep(f *finding.Finding) {
	r.mu.Lock()
	h := r.held[f]
	delete(r.held, f)
	r.mu.Unlock()
	if h == nil { // a seed
		return
	}
	if err := h.Keep(); err != nil {
		r.emit(Warning{err.Error()})
	}
}

// rerunner returns what runs the input of a finding once more and reports whether it fails; nil: nothing can. That is go test, by
// the name of the file or seed. If the file could not be written, it is a fuzzing process of its own. That has
// instrumentation, which may make a hang of what is slow, so such a hang stays without proof.
func (r *run) rerunner(f *finding.Finding, name string) func(ctx context.Context) (failed bool, err error) {
	switch {
	case f.Why != "" && f.Kind == finding.Hang:
		return nil
	case f.Why != "":
		return func(ctx context.Context) (bool, error) { return r.failsApart(ctx, f) }
	case r.Replay == nil:
		return nil
	}
	return func(ctx context.Context) (bool, error) {
		got, err := r.Replay(ctx, name, f.Kind)
		return got == ReplayFailed, err
	}
}

// failsApart executes the input of a finding in a new process and reports whether it fails in the same way.
func (r *run) failsApart(ctx context.Context, f *finding.Finding) (bool, error) {
	w, hello, err := r.Start(ctx)
	if err != nil {
		return false, err
	}
	defer w.Stop()
	setup := wire.Setup{Without: r.Without}
	if !hello.Race { // the detector uses several times the memory of the target
		r.mu.Lock()
		setup.MemLimit = r.MemLimit
		r.mu.Unlock()
	}
	if err := w.Setup(setup); err != nil {
		return false, fmt.Errorf("set up a fuzzing process: %w", err)
	}
	ran, err := w.Run(ctx, f.Input, wire.Run{})
	var exit *executor.Exit
	var got *finding.Finding
	switch {
	case errors.As(err, &exit):
		got = triage.Died(exit)
	case err != nil:
		return false, err
	case !ran.Failed:
		return false, nil
	default:
		got = triage.Failed(f.Input, ran.Output, ran.Logged)
	}
	got.Target, got.Input = f.Target, f.Input
	return got.Kind == f.Kind && (got.Kind == finding.Race || triage.Same(f, got)), nil
}
