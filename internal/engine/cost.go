package engine

import (
	"context"
	"math"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// costTime is how long an execution takes in plain go test that is reported as the cost of a finding: long enough for a clock that shows
	// hundredths of a second, and for a person to notice.
	costTime = 500 * time.Millisecond
	// costLimit is how long one may take at most.
	costLimit = 5 * time.Second
	// maxCost is the size in bytes of the largest input that is timed.
	maxCost = 1 << 20
	// costRange is the factor between the two sizes at which the growth of the time is measured. It is what the oracle saw in a fuzzing process, and
	// more than what caches do to something linear.
	costRange = 4
	costPower = 1.35
	// clockStep is the resolution of the time that package testing prints.
	clockStep = 10 * time.Millisecond
	// costHalvings is how often the middle between a size that is fast and one that takes too long is tried.
	costHalvings = 4
)

// price finds out what a finding about growth costs in plain go test, where code takes a fraction of the time that it takes in a
// fuzzing process. copies is how often the piece was repeated that is slow there. A finding that plain go test does not have is none:
// the result is nil. One that cannot be timed there stays, without its cost.
func (o *oracles) price(f *finding.Finding, copies int) (*finding.Finding, error) {
	if o.PlainTime == nil {
		return f, nil
	}
	p := &pricing{oracles: o, ctx: o.turn.verifying(), f: f}
	large, took := p.slow(max(copies, costRange))
	if p.err != nil || p.failed || large == 0 {
		return f, p.err
	}
	limit := time.Duration(f.Measure.Limit)
	switch {
	case took < limit && p.over: // nothing lies between what is fast and what is too slow
		return f, nil
	case took < limit:
		return nil, nil
	}
	small := large / costRange
	least, _ := p.time(small)
	if again, ended := p.time(small); ended {
		least = min(least, again)
	}
	if p.err != nil || p.failed {
		return f, p.err
	}
	power := math.Log(float64(took)/float64(max(least, clockStep/2))) / math.Log(float64(large)/float64(small))
	if power < costPower {
		return nil, nil
	}
	f.Measure.Cost = &finding.Cost{Copies: large, Size: p.size(large), Took: took, Power: power}
	return f, nil
}

// pricing is the search for what a finding about growth costs in plain go test.
type pricing struct {
	*oracles
	ctx    context.Context
	f      *finding.Finding
	failed bool  // an input could not be run in plain go test
	over   bool  // one did not pass in time
	err    error // the file of an input could not be removed
}

// slow returns a number of copies with which one execution takes long, but not too long, and how long; with 0 none was found. More
// and more copies are tried, up to the largest input.
func (p *pricing) slow(copies int) (found int, took time.Duration) {
	for {
		now, ended := p.time(copies)
		switch {
		case p.err != nil || p.failed:
			return 0, 0
		case !ended:
			p.over = true
			return p.between(found, copies, took)
		}
		found, took = copies, now
		if took >= costTime || p.size(2*copies) > maxCost {
			return found, took
		}
		copies *= 2
	}
}

// between looks for an execution that takes long enough between a number of copies that is fast and one that takes too long.
func (p *pricing) between(fast, over int, took time.Duration) (int, time.Duration) {
	for range costHalvings {
		middle := fast + (over-fast)/2
		if fast == 0 || middle == fast || took >= costTime {
			break
		}
		now, ended := p.time(middle)
		if p.err != nil || p.failed {
			return 0, 0
		}
		if ended {
			fast, took = middle, now
		} else {
			over = middle
		}
	}
	return fast, took
}

// size is the size in bytes of the input with so many copies.
func (p *pricing) size(copies int) int {
	return p.f.Input.Size() + (copies-1)*oracle.Piece(p.f.Measure.Piece).Len()
}

// time times the input with so many copies in plain go test.
func (p *pricing) time(copies int) (took time.Duration, ended bool) {
	grown := oracle.Piece(p.f.Measure.Piece).Grow(p.f.Input, copies)
	took, ended, timed, err := p.timeIn(grown)
	p.err, p.failed = err, p.failed || !timed
	return took, ended
}

// timeIn times an input in plain go test. Its file is there for no longer than that takes. The error is about that file.
func (p *pricing) timeIn(a input.Args) (took time.Duration, ended, timed bool, err error) {
	_, err = p.files.during(a, func(name string) {
		var timeErr error
		took, ended, timeErr = p.PlainTime(p.ctx, proof.Execution{Args: a, Name: name}, costLimit)
		timed = timeErr == nil
	})
	return took, ended, timed, err
}
