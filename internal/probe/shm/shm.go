// Package shm is the memory that a worker process shares with the coordinator.
//
// A [Segment] is one mapped file per worker. The worker writes each input into its ring before it executes it, counts
// executions, and looks at the preempt word between two executions; the coordinator reads them at any time, also after
// the worker died. Words are accessed atomically; the ring is written by the worker only and read by the coordinator
// only when the worker does not run, or for display.
package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"
)

// Stage is what a worker is doing. It is kept in the segment, so that the coordinator knows it after a crash.
type Stage uint32

// The stages of a worker.
const (
	Idle     Stage = iota // waits for a message
	Running               // executes one input that the coordinator sent
	Fuzzing               // mutates and executes
	Trimming              // makes a new entry smaller
)

// Cause is why a worker ended itself.
type Cause uint32

// The causes.
const (
	NoCause Cause = iota // it did not end itself
	Memory               // the heap grew beyond the limit
	Lost                 // its pipes are closed although the coordinator lives
	Asked                // it was asked for its stacks
)

// header is the start of the mapped file. Every field has the offset that it has here on all platforms.
type header struct {
	magic   uint64
	execs   atomic.Uint64 // executions started since the process began
	head    atomic.Uint64 // offset of the newest ring record + 1; 0: none
	stage   atomic.Uint32
	preempt atomic.Uint32 // set by the coordinator: end the burst
	cause   atomic.Uint32 // why the worker ended itself
	_       uint32
	tried   atomic.Uint64 // suggestions for the entry that were tried, the one that is being tried among them
	refused atomic.Uint64 // value of execs when an action was refused last; 0: none was
	action  atomic.Uint64 // size of the description of that action, which is at actionOffset
}

const (
	magic      = 0x676e61772d736d31 // "gnaw-sm1"
	ringOffset = 4096
	// actionOffset is where the description of the action is that was refused last. It ends at the ring.
	actionOffset = 1024
	// smallRing: inputs that fit use only the first 64 KiB of the ring, which stay in the cache of the core.
	smallRing = 64 << 10
	// Size of the mapped file. Pages that are never touched cost nothing.
	Size = 64 << 20
	// MaxRecord is the size in bytes of the largest packed input that fits.
	MaxRecord = Size - ringOffset - recordHead
	// recordHead: four bytes length, four bytes offset of the record before.
	recordHead = 8
)

// Segment is a mapped worker segment. Methods say which side may call them.
type Segment struct {
	mem  []byte
	h    *header
	next int // ring offset of the next record (worker side)
	prev int // ring offset of the newest record + 1, 0 if none (worker side)
}

// Create initialises file as a new segment and maps it. The file stays open and belongs to the caller.
func Create(file *os.File) (*Segment, error) {
	if err := file.Truncate(Size); err != nil {
		return nil, fmt.Errorf("size shared memory: %w", err)
	}
	s, err := open(file)
	if err != nil {
		return nil, err
	}
	s.h.magic = magic
	return s, nil
}

// Open maps the segment that the coordinator made in file.
func Open(file *os.File) (*Segment, error) {
	s, err := open(file)
	if err != nil {
		return nil, err
	}
	if s.h.magic != magic {
		return nil, errors.Join(errors.New("shared memory has the wrong format"), s.Close())
	}
	return s, nil
}

func open(file *os.File) (*Segment, error) {
	mem, err := Map(file, Size)
	if err != nil {
		return nil, err
	}
	return &Segment{mem: mem, h: (*header)(unsafe.Pointer(&mem[0]))}, nil
}

// Close unmaps the segment. No method may be called afterwards.
func (s *Segment) Close() error { return Unmap(s.mem) }

// SetStage says what the worker does now. Worker side.
func (s *Segment) SetStage(st Stage) { s.h.stage.Store(uint32(st)) }

// SetCause says why the worker is about to end itself. Worker side.
func (s *Segment) SetCause(c Cause) { s.h.cause.Store(uint32(c)) }

// Cause returns why the worker ended itself.
func (s *Segment) Cause() Cause { return Cause(s.h.cause.Load()) }

// Stage returns what the worker does, or did when it died.
func (s *Segment) Stage() Stage { return Stage(s.h.stage.Load()) }

// Execs returns the number of executions started by this process.
func (s *Segment) Execs() uint64 { return s.h.execs.Load() }

// Untried: none of the suggestions for the entry is looked at yet; inputs of an earlier request are executed.
const Untried = ^uint64(0)

// SetTried says how many suggestions for the entry were tried. Worker side.
func (s *Segment) SetTried(n uint64) { s.h.tried.Store(n) }

// Tried returns how many suggestions for the entry were tried, with the one that is being tried.
func (s *Segment) Tried() uint64 { return s.h.tried.Load() }

// SetRefused describes an action of the newest execution that was refused, in at most 3 KB. Worker side; calls must not overlap.
func (s *Segment) SetRefused(action string) {
	n := copy(s.mem[actionOffset:ringOffset], action)
	s.h.action.Store(uint64(n))
	s.h.refused.Store(s.h.execs.Load())
}

// Refused describes the action that was refused last; empty: none was. newest says that the newest execution wanted to do it.
func (s *Segment) Refused() (action string, newest bool) {
	at := s.h.refused.Load()
	if at == 0 {
		return "", false
	}
	n := min(s.h.action.Load(), ringOffset-actionOffset)
	return string(s.mem[actionOffset:][:n]), at == s.h.execs.Load()
}

// Preempt asks the worker to end its burst after the current execution. Coordinator side.
func (s *Segment) Preempt() { s.h.preempt.Store(1) }

// ClearPreempt forgets an earlier request. Coordinator side, while the worker is idle.
func (s *Segment) ClearPreempt() { s.h.preempt.Store(0) }

// Preempted reports whether the coordinator asked for an end. Worker side; costs one load.
func (s *Segment) Preempted() bool { return s.h.preempt.Load() != 0 }

// Begin reserves ring space for an input of n packed bytes and returns it, empty, with capacity n. The worker appends
// the packed input and calls Commit. n must not exceed MaxRecord.
func (s *Segment) Begin(n int) []byte {
	limit := smallRing
	if recordHead+n > limit/4 {
		limit = len(s.mem) - ringOffset
	}
	if s.next+recordHead+n > limit {
		s.next = 0
	}
	at := ringOffset + s.next
	binary.LittleEndian.PutUint32(s.mem[at:], uint32(n))
	binary.LittleEndian.PutUint32(s.mem[at+4:], uint32(s.prev))
	return s.mem[at+recordHead : at+recordHead : at+recordHead+n]
}

// Commit makes the record begun with n bytes the newest one and counts an execution. Worker side.
func (s *Segment) Commit(n int) {
	s.prev = s.next + 1
	s.h.head.Store(uint64(s.prev))
	s.h.execs.Add(1)
	s.next += recordHead + n
}

// Last returns a copy of the newest record, nil if there is none or if the header is damaged.
func (s *Segment) Last() []byte {
	head := s.h.head.Load()
	// Compared before they become ints, which may have 32 bits.
	if head == 0 || head-1 > uint64(len(s.mem)-ringOffset-recordHead) {
		return nil
	}
	record := s.mem[ringOffset+int(head-1):]
	n := binary.LittleEndian.Uint32(record)
	if record = record[recordHead:]; uint64(n) > uint64(len(record)) {
		return nil
	}
	return append([]byte{}, record[:n]...)
}

// Recent returns up to max records, newest first, as long as they were not overwritten. The slices point into the
// segment. Worker side, before the next Begin.
func (s *Segment) Recent(max int) [][]byte {
	var records [][]byte
	at, floor := s.prev-1, -1
	for wrapped := false; at >= 0 && len(records) < max; {
		n := int(binary.LittleEndian.Uint32(s.mem[ringOffset+at:]))
		if wrapped && (at < floor || at+recordHead+n > len(s.mem)-ringOffset) {
			break
		}
		start := ringOffset + at + recordHead
		records = append(records, s.mem[start:start+n])
		older := int(binary.LittleEndian.Uint32(s.mem[ringOffset+at+4:])) - 1
		if older >= at { // the ring went round once: records below s.next are newer
			if wrapped {
				break
			}
			wrapped, floor = true, s.next
		}
		at = older
	}
	return records
}
