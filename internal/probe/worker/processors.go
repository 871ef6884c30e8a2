package worker

import (
	"runtime"
	"runtime/metrics"
)

const (
	// One request in allIn, the first one among them, has all processors.
	allIn = 16
	// The target starts goroutines if there are spawnsFrom of them, and one for so many executions.
	spawnsFrom = 64
	spawnsIn   = 16
)

const createdMetric = "/sched/goroutines-created:goroutines"

// processors decides how many processors the runtime may use while mutants are executed. Workers that are as many as the
// processors of the machine only get in each other's way with more than their share: the collector of each runs on the
// processors of the others. But a target may do something else if there are several, and what goes wrong between
// goroutines needs them. So some requests have all, and if the target starts goroutines in one of them, each request does.
type processors struct {
	share           int // what the coordinator says; 0: all
	all             int // that the process was given
	requests        int
	before, own     uint64 // goroutines created, and those of them that Ts were given, before the request
	created, execs  uint64 // in requests that had all
	sample          []metrics.Sample
	complete, spawn bool // the request has all; the target starts goroutines
}

// limit says what the share of the worker is. Where the runtime does not count goroutines, before Go 1.26, there is none.
func (p *processors) limit(share int) {
	p.all, p.share = runtime.GOMAXPROCS(0), share
	p.sample = []metrics.Sample{{Name: createdMetric}}
	if metrics.Read(p.sample); p.sample[0].Value.Kind() != metrics.KindUint64 || share >= p.all {
		p.share = 0
	}
}

// begin is called before mutants are executed, with the number of goroutines that Ts were given.
func (p *processors) begin(own uint64) {
	if p.share == 0 || p.spawn {
		return
	}
	p.complete = p.requests%allIn == 0
	if p.requests++; p.complete {
		p.useAll()
		p.before, p.own = p.count(), own
	} else {
		runtime.GOMAXPROCS(p.share)
	}
}

// end is called after that, with the number of executions and that of goroutines again: a target that skips takes one for each of
// its executions, and starts none.
func (p *processors) end(execs, own uint64) {
	if p.share == 0 || p.spawn || !p.complete {
		return
	}
	all := p.count() - p.before
	p.created += all - min(all, own-p.own)
	p.execs += execs
	p.spawn = p.created >= spawnsFrom && p.created >= p.execs/spawnsIn
}

// useAll makes all processors available, as plain go test does.
func (p *processors) useAll() {
	if p.share > 0 {
		runtime.GOMAXPROCS(p.all)
	}
}

// count returns how many goroutines were created since the process was started.
func (p *processors) count() uint64 {
	metrics.Read(p.sample)
	return p.sample[0].Value.Uint64()
}
