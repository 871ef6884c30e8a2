package executor

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

// shared is the memory that a process shares with gnaw, and what the methods of Worker that any goroutine may call read.
type shared struct {
	mu      sync.Mutex    // guards seg against close; held by those who are not the owner
	seg     *shm.Segment  // nil after close
	file    *os.File      // of seg
	before  atomic.Uint64 // executions begun before the request at hand
	fuzzing atomic.Bool   // a Fuzz request is under way
}

// newShared returns memory for one process.
func newShared() (*shared, error) {
	file, err := memoryFile("gnaw-segment", shm.Size)
	if err != nil {
		return nil, err
	}
	seg, err := shm.Create(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &shared{seg: seg, file: file}, nil
}

// preempt asks the process to end its request soon.
func (s *shared) preempt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seg != nil {
		s.seg.Preempt()
	}
}

// underway returns the executions that the Fuzz request at hand has begun; 0 if there is none.
func (s *shared) underway() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seg == nil || !s.fuzzing.Load() {
		return 0
	}
	return s.seg.Execs() - s.before.Load()
}

// close frees the memory.
func (s *shared) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := errors.Join(s.seg.Close(), s.file.Close())
	s.seg = nil
	return err
}
