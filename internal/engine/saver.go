package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/schedule"
)

const (
	// cachePulse is how often the saver makes sure that its directory is still there.
	cachePulse = time.Second
	// saveBatch is how many entries are saved at once at most: as many files are open meanwhile.
	saveBatch = 64
)

// saver writes new entries to the cache directory while the workers go on. An entry is counted, and reported, when it
// is on disk.
type saver struct {
	opts    *Options
	entries *entries
	events  *events
	fail    func(error) // ends the run

	mu     sync.Mutex
	queue  []saveJob
	more   chan struct{} // has a token if queue may not be empty
	closed chan struct{}
	wrote  bool
}

type saveJob struct {
	entry   *schedule.Entry
	buckets int
	maker   technique.Maker
}

func newSaver(opts *Options, c *entries, e *events, fail func(error)) *saver {
	return &saver{opts: opts, entries: c, events: e, fail: fail, more: make(chan struct{}, 1), closed: make(chan struct{})}
}

// save queues an entry. It never waits.
func (s *saver) save(e *schedule.Entry, buckets int, maker technique.Maker) {
	s.mu.Lock()
	s.queue = append(s.queue, saveJob{e, buckets, maker})
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// close has run finish the queue and return.
func (s *saver) close() { close(s.closed) }

// run writes what is queued until close.
func (s *saver) run() {
	pulse := time.NewTicker(cachePulse)
	defer pulse.Stop()
	for {
		select {
		case <-s.more:
			s.drain()
		case <-pulse.C:
			s.fail(s.check())
		case <-s.closed:
			s.drain()
			return
		}
	}
}

func (s *saver) drain() {
	for {
		s.mu.Lock()
		queue := s.queue
		s.queue = nil
		s.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for batch := range slices.Chunk(queue, saveBatch) {
			if err := s.write(batch); err != nil {
				s.fail(fmt.Errorf("%w\nthe corpus cache cannot be written; free some space or choose another directory%s", err, byCache(s.opts)))
				return
			}
		}
	}
}

// byCache says how a user of the go command chooses another directory.
func byCache(o *Options) string {
	if o.Codec != nil { // the user has named the directory
		return ""
	}
	return " with GOCACHE"
}

// write saves entries and reports them.
func (s *saver) write(batch []saveJob) error {
	saved := make([]corpus.Saved, len(batch))
	if s.opts.CacheDir != "" {
		list := make([]input.Args, len(batch))
		for i, j := range batch {
			list[i] = j.entry.Args
		}
		var err error
		if saved, err = s.opts.cache(s.entries.argumentKinds()).SaveAll(list); err != nil {
			return err
		}
		s.wrote = true
		for _, f := range saved { // or it would be read as that of another process, if the codec is not that of go test
			s.entries.claimName(filepath.Base(f.Path))
		}
	}
	for i, j := range batch {
		s.events.kept(Kept{Args: j.entry.Args, Features: j.entry.Features, Path: saved[i].Path})
		if j.buckets == 0 {
			continue // a smaller form of an entry that was announced
		}
		s.entries.countSaved()
		s.events.emit(event.Entry{
			Subject: s.opts.Target, Path: saved[i].Path, Size: len(input.Marshal(j.entry.Args)), Buckets: j.buckets, Edges: j.entry.Edges,
			Technique: j.maker.String(),
		})
	}
	return nil
}

// check returns an error if the directory that entries were written to is gone: they are lost, and someone may be
// cleaning up for good reason.
func (s *saver) check() error {
	if !s.wrote {
		return nil
	}
	d, err := os.Open(s.opts.CacheDir)
	if err != nil {
		return fmt.Errorf("the corpus cache was removed while fuzzing: %w", err)
	}
	return d.Close()
}
