package engine

import (
	"errors"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
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
