package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// files writes the inputs of findings to the directory where go test runs them. It holds the file of a finding until the user knows
// it: until then no other gnaw removes it.
type files struct {
	opts    *Options
	events  *events
	entries *entries

	mu      sync.Mutex
	held    map[*finding.Finding]*corpus.Hold
	missing []string // folders that were not there when the run began and failing inputs need, the innermost first
}

func newFiles(opts *Options, e *events, c *entries) *files {
	return &files{opts: opts, events: e, entries: c, held: map[*finding.Finding]*corpus.Hold{}}
}

// setMissing sets the folders that are not there, the innermost first.
func (s *files) setMissing(folders []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing = folders
}

// put writes the input of a finding where go test runs it, and holds the file until keep. Where that cannot be done, as in a
// module that is read only, the input goes to the cache, and the finding says why; on a full disk it may be in the finding
// only.
func (s *files) put(f *finding.Finding) {
	f.Kept, f.Why = "", ""
	if err := s.write(f); err != nil {
		s.entries.claimName(nameOf(f.Input)) // or the file would be taken for an entry of another process
		KeepElsewhere(f, s.opts.CacheDir, err)
	}
}

// KeepElsewhere writes the input of a finding to the cache at dir, because it cannot be written where go test runs it. An empty
// dir is no cache.
func KeepElsewhere(f *finding.Finding, dir string, why error) {
	f.Path, f.Kept, f.Own, f.Why = "", "", false, why.Error()
	var errno syscall.Errno
	var link *disk.LinkError
	switch { // where is known
	case errors.As(why, &errno):
		f.Why = errno.Error()
	case errors.As(why, &link):
		f.Why = link.Error()
	}
	if dir == "" {
		return
	}
	if path, isNew, err := storeIn(dir, nil).Save(f.Input); err == nil {
		f.Kept, f.Own = path, isNew
	}
}

// write writes the input of a finding, and holds its file until keep.
func (s *files) write(f *finding.Finding) error {
	h, own, err := storeIn(s.opts.WriteDir, nil).Take(f.Input)
	if err != nil {
		return err
	}
	s.hold(f, h, own)
	return nil
}

// hold notes the file of a finding, with the path that is shown to the user, and returns the file before; nil: there was none. own
// says that gnaw made the file; otherwise it may be the user's.
func (s *files) hold(f *finding.Finding, h *corpus.Hold, own bool) (before *corpus.Hold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.held[f] = s.held[f], h
	f.Path, f.Own = s.opts.CorpusDir+h.Path()[len(s.opts.WriteDir):], own
	return before
}

// release ends that the file of a finding is held, and returns it; nil: none is.
func (s *files) release(f *finding.Finding) *corpus.Hold {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[f]
	delete(s.held, f)
	return h
}

// keep has the file of a finding stay.
func (s *files) keep(f *finding.Finding) {
	h := s.release(f)
	if h == nil { // a seed
		return
	}
	if err := h.Keep(); err != nil {
		s.events.warn(err.Error())
	}
}

// forget gives back the file of a failure that is no finding. The file is removed if it is gnaw's own.
func (s *files) forget(f *finding.Finding) error {
	h := s.release(f)
	if f.Own {
		return h.Discard()
	}
	return h.Release()
}

// retract gives back the file of a failure that is no finding, with the folders that were made for it.
func (s *files) retract(f *finding.Finding) error {
	switch h := s.release(f); {
	case h == nil && f.Own && f.Kept != "":
		return corpus.Remove(f.Kept)
	case h == nil:
		return nil
	case f.Own:
		return s.withdraw(h.Discard)
	default:
		return s.withdraw(h.Release)
	}
}

// withdraw gives back a file, and the folders that were made for it.
func (s *files) withdraw(giveBack func() error) error {
	err := giveBack()
	s.mu.Lock()
	missing := s.missing
	s.mu.Unlock()
	for _, dir := range missing {
		_ = os.Remove(dir) // which fails if there is something in it
	}
	return err
}

// during writes an input for as long as use takes, which gets the name of the file; the file stays if it was there before. written is
// false if the input cannot be written: writing it as a finding reports that. The error is about giving the file back.
func (s *files) during(a input.Args, use func(name string)) (written bool, err error) {
	h, err := storeIn(s.opts.WriteDir, nil).TakeTemporary(a)
	if err != nil {
		return false, nil //nolint:nilerr // see above
	}
	use(filepath.Base(h.Path()))
	return true, s.withdraw(h.Release)
}

// restore writes the file of a finding again if it is gone, and reports whether it was: a target may remove its corpus each time it
// starts.
func (s *files) restore(f *finding.Finding) bool {
	if f.Path == "" || f.Seed != "" || f.Why != "" {
		return false
	}
	if _, err := os.Stat(filepath.Join(s.opts.WriteDir, filepath.Base(f.Path))); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, _, err := storeIn(s.opts.WriteDir, nil).Save(f.Input) // keep reports why it cannot be written
	return err == nil
}

// replace gives a finding another input, which is in the file that h holds; own says that this is gnaw's own. The file before is
// removed if it is gnaw's own.
func (s *files) replace(f *finding.Finding, best input.Args, h *corpus.Hold, own bool) {
	wasOwn, same := f.Own, best.Equal(f.Input)
	if same {
		own = wasOwn
	}
	old := s.hold(f, h, own)
	var err error
	if !wasOwn || same {
		err = old.Release()
	} else {
		err = old.Discard()
	}
	f.Input = best
	if err != nil {
		s.warnBoth(err)
	}
}

// replaceKept gives a finding another input that could not be written where go test runs it. By now it may be possible.
func (s *files) replaceKept(f *finding.Finding, best input.Args) {
	kept, own := f.Kept, f.Own
	f.Input = best
	s.put(f)
	if !own || kept == "" {
		return
	}
	if err := corpus.Remove(kept); err != nil {
		s.warnBoth(err)
	}
}

func (s *files) warnBoth(err error) {
	s.events.warn(fmt.Sprintf("the input as it was found could not be removed, both files stay: %v", err))
}
