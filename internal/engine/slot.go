package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// slot is the place of one worker.
type slot struct {
	number int
	worker Worker // nil: none runs
	stack  int    // bytes at which a stack of the worker overflows; 0: as in plain go test
	taught bool   // the worker has the words
	born   uint64 // how many were started when the worker was, with itself

	recalled    moment        // when the worker was started, or looked at by recall
	recallAfter time.Duration // when it is due again; 0: as soon as for any new worker

	besides  bool   // what showed while another finding was minimized is dealt with
	memLimit uint64 // of workers that start while an input that used too much memory is minimized; 0: that of the run
}

// startWorker starts the process of a slot, which has none, and sets it up. A goroutine's stack in it overflows at that many
// bytes; 0: as in plain go test.
func (r *run) startWorker(ctx context.Context, s *slot, stack int) (wire.Hello, error) {
	begin := time.Now()
	w, hello, err := r.Start(ctx)
	r.mu.Lock()
	r.startup = time.Since(begin)
	r.mu.Unlock()
	for err != nil {
		var start *executor.StartError
		if !errors.As(err, &start) || !start.External || ctx.Err() != nil {
			return hello, err
		}
		if err := r.restart(err, nil, math.MaxUint64); err != nil {
			return hello, err
		}
		w, hello, err = r.Start(ctx)
	}
	r.mu.Lock()
	r.workers[w] = true
	r.started++
	born := r.started
	s.recalled, s.recallAfter = r.now(), 0
	setup := wire.Setup{
		Seed: r.RandSeed + r.started, MemLimit: r.MemLimit, Resident: r.overLimit != nil, TrimMax: trimExecs, Without: r.Without,
		Number: s.number, NoClock: r.Repeatable, Procs: r.Procs, MaxStack: stack,
	}
	if s.memLimit > 0 {
		setup.MemLimit, setup.Resident = s.memLimit, false
	}
	if r.Oracles.On.Has(oracle.Alloc) {
		setup.Alloc = r.Oracles.Alloc
	}
	r.mu.Unlock()
	if hello.Race {
		setup.MemLimit = 0 // the detector uses several times the memory of the target
		setup.Procs = 0    // and sees more where goroutines run at the same time
	}
	_ = w.Setup(setup) // a process that is gone shows in the request that follows
	s.worker, s.stack, s.born = w, stack, born
	return hello, nil
}

// ensureWorker has a slot have a worker with such a stack.
func (r *run) ensureWorker(ctx context.Context, s *slot, stack int) error {
	if s.worker != nil && s.stack != stack {
		r.endWorker(s)
	}
	if s.worker != nil {
		return nil
	}
	_, err := r.startWorker(ctx, s, stack)
	return err
}

// retire deals with the error of a process that does not start. If others run, the turn goes on with those: the target may want
// something that only one process can have, such as a port.
func (r *run) retire(err error) error {
	r.mu.Lock()
	last := r.Workers == 1
	if last || r.ctx.Err() != nil || r.unlessStopped(err) == nil {
		r.mu.Unlock()
		return err
	}
	r.Workers--
	left := r.Workers
	r.mu.Unlock()
	r.warnOnce(&r.fewer, fmt.Sprintf("not all fuzzing processes can be started, so fuzzing goes on with %d: %v", left, err))
	return nil
}

// dropWorker forgets a process that has ended.
func (r *run) dropWorker(s *slot) {
	r.mu.Lock()
	delete(r.workers, s.worker)
	r.mu.Unlock()
	s.worker, s.taught = nil, false
}

func (r *run) endWorker(s *slot) {
	if s.worker != nil {
		s.worker.Stop()
		r.dropWorker(s)
	}
}
