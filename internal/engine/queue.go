package engine

import (
	"slices"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

const (
	// Oracles may take 1/oracleShare of the time of all workers.
	oracleShare = 20
	// oracleCredit is the time that they may take in any case, so that they measure the seeds of a short run.
	oracleCredit = 300 * time.Millisecond
	// oracleAlways is how many checks are made however long they take, so that the first inputs of a slow target are checked too.
	oracleAlways = 4
	// timedEvery: 1/timedEvery of the checks measure time and take several times as long as the others. Such a check does not
	// begin before mutants were executed for timedAfter, which is about the time of the longest check: a target may not get
	// more in its first turn. It does not begin in the last timedLeft of a turn either: a check that finds something takes
	// long, and the time of one that the end of the turn cuts short is lost.
	timedEvery = 4
	timedAfter = time.Second
	timedLeft  = 500 * time.Millisecond
	// checkNominal is how long a check takes by the clock of a repeatable run.
	checkNominal = 2 * time.Millisecond
	// maxReports is how many reports of each oracle fresh processes try to confirm: an oracle that is wrong more often would
	// take the time of the others.
	maxReports = 12
)

// queue holds the inputs that the oracles are to measure, and the time that measuring took. Its lock is taken before that of the ledger.
type queue struct {
	opts   *Options
	meter  *meter
	ledger *ledger

	mu         sync.Mutex
	on         oracle.Set                  // the oracles that are used
	quick      []input.Args                // for the oracles that do not measure time
	slow       []input.Args                // for those that measure time
	cut        []check                     // checks that the end of a turn has cut short; they come first in the next turn
	took       time.Duration               // the time of all checks
	made       int                         // the number of checks
	reports    map[finding.Kind]int        // reports of each kind that fresh processes have tried to confirm
	confirming map[finding.Kind]bool       // whether a report of the kind is being confirmed
	waiting    map[finding.Kind][]reported // reports that wait for that
}

// check is the task to have oracles measure an input.
type check struct {
	args input.Args
	on   oracle.Set
}

// reported is what an oracle reports about an input in a process that fuzzes.
type reported struct {
	args   input.Args
	report oracle.Report
}

func newQueue(opts *Options, m *meter, l *ledger) *queue {
	return &queue{
		opts: opts, meter: m, ledger: l, on: opts.Oracles.On,
		reports: map[finding.Kind]int{}, confirming: map[finding.Kind]bool{}, waiting: map[finding.Kind][]reported{},
	}
}

// turnOff turns all oracles off.
func (q *queue) turnOff() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.on = 0
}

// add adds an input that passes.
func (q *queue) add(a input.Args) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.on&^q.on.Timed() != 0 {
		q.quick = append(q.quick, a)
	}
	if q.on.Timed() != 0 && a.Size() > 0 && !q.opts.Repeatable { // what it costs to repeat a part of the input depends on the clock
		q.slow = append(q.slow, a)
	}
}

// addGreedy adds an input that allocated much while its mutants were executed.
func (q *queue) addGreedy(a input.Args) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.on.Has(oracle.Alloc) {
		q.quick = append(q.quick, a)
	}
}

// putBack puts back a check that was cut short. The next turn makes it first.
func (q *queue) putBack(c check) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cut = append(q.cut, c)
}

// next takes the next check; ok is false if there is none. last says that there is nothing else to do.
func (q *queue) next(last bool) (c check, ok bool) {
	executing, leaves := q.meter.executing(), q.meter.leaves(timedLeft)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.took > oracleCredit+executing/oracleShare && q.made >= oracleAlways {
		return c, false
	}
	list, on := &q.quick, q.on&^q.on.Timed()
	timed := (last || executing >= timedAfter) && leaves
	if c, ok := q.resume(timed); ok {
		return c, true
	}
	if timed && (len(*list) == 0 || len(q.slow) > 0 && q.made%timedEvery == timedEvery-1) {
		list, on = &q.slow, q.on.Timed()
	}
	if len(*list) == 0 {
		return c, false
	}
	return check{q.take(list), on}, true
}

// resume takes a check that was cut short; timed says whether one that measures time may be made. The caller holds the lock.
func (q *queue) resume(timed bool) (c check, ok bool) {
	i := slices.IndexFunc(q.cut, func(c check) bool { return timed || c.on.Timed() == 0 })
	if i < 0 {
		return c, false
	}
	c = q.cut[i]
	q.cut = slices.Delete(q.cut, i, i+1)
	return c, true
}

// take takes an input from a list: the first ones, which the user gave; then the newest one and any other in turn, since
// for all of a large corpus there is no time. The caller holds the lock.
func (q *queue) take(list *[]input.Args) input.Args {
	all := *list
	i := 0
	switch {
	case q.made < oracleAlways:
	case q.made%2 == 0:
		i = len(all) - 1
	default:
		i = int(uint32(q.made) * 2654435769 % uint32(len(all)))
	}
	q.made++
	a := all[i]
	*list = slices.Delete(all, i, i+1)
	return a
}

// addTime counts time that oracles took.
func (q *queue) addTime(took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.opts.Repeatable {
		took = checkNominal
	}
	q.took += took
}

// begin reports whether a report is to be confirmed now: if there were not too many and it is no finding already. While another
// report of the kind is being confirmed, it waits.
func (q *queue) begin(kind finding.Kind, one reported) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.confirming[kind] {
		like := func(other reported) bool {
			return q.ledger.keys.of(q.finding(kind, other)) == q.ledger.keys.of(q.finding(kind, one))
		}
		if q.isWorthIt(kind, one) && len(q.waiting[kind]) < maxReports && !slices.ContainsFunc(q.waiting[kind], like) {
			q.waiting[kind] = append(q.waiting[kind], one)
		}
		return false
	}
	return q.claim(kind, one)
}

// end ends the confirmation of a report and returns the next one of the kind, if one waits. stopping says that the turn ends: then the
// inputs of the reports that wait are measured again in the next turn.
func (q *queue) end(kind finding.Kind, stopping bool) (next reported, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.confirming[kind] = false
	if stopping {
		for _, one := range q.waiting[kind] {
			q.cut = append(q.cut, check{one.args, one.report.Oracle})
		}
		q.waiting[kind] = nil
	}
	for len(q.waiting[kind]) > 0 {
		next, q.waiting[kind] = q.waiting[kind][0], q.waiting[kind][1:]
		if q.claim(kind, next) {
			return next, true
		}
	}
	return reported{}, false
}

// abort ends the confirmation of a report with an error that ends the run.
func (q *queue) abort(kind finding.Kind) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.confirming[kind] = false
}

// claim begins the confirmation of a report if it is worth it. The caller holds the lock.
func (q *queue) claim(kind finding.Kind, one reported) bool {
	if !q.isWorthIt(kind, one) {
		return false
	}
	q.confirming[kind] = true
	q.reports[kind]++
	return true
}

// isWorthIt reports whether there were not too many reports, and this one is no finding yet. Some reports lack the place
// yet. The caller holds the lock.
func (q *queue) isWorthIt(kind finding.Kind, one reported) bool {
	return q.reports[kind] < maxReports && (one.report.Oracle.Located() != 0 || !q.ledger.isClaimed(q.finding(kind, one)))
}

// finding returns the finding that a report would be, as far as its key depends on it.
func (q *queue) finding(kind finding.Kind, one reported) *finding.Finding {
	f := &finding.Finding{Kind: kind, Target: q.opts.Target.Func}
	f.SetOutput(one.report.Message + "\n\n" + one.report.Detail)
	return f
}
