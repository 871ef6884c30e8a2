package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/triage"
)

const (
	// examineShare is the part of the time of all workers that examinations may take: one in twenty.
	examineShare = 20
	// examineCredit is what they may take in any case, so that the seeds of a short run are examined.
	examineCredit = 300 * time.Millisecond
	// examineAlways is how many are made whatever they take: also of a slow target the first inputs are examined.
	examineAlways = 4
	// growthEvery: one in so many examinations is about growth, which takes several times as long as the others. None begins
	// before mutants were executed for growthTime, which is about as long as the longest takes: that may be all of the
	// time that a target has in a campaign at first. Nor does one begin in the last growthLeft of a turn: those that find
	// something take long, and what one has taken that was cut short is missing in the next turn.
	growthEvery = 4
	growthTime  = time.Second
	growthLeft  = 500 * time.Millisecond
	// examineNominal is how long an examination takes by the clock of a repeatable run.
	examineNominal = 2 * time.Millisecond
	// patienceAside is how long a goroutine may outlive the execution that started it while others fuzz. The real limit
	// holds when a finding is proved.
	patienceAside = 20 * time.Millisecond
	// maxSuspects is how many inputs each oracle may have examined in processes of their own. One that is wrong so often
	// would take the time of all others.
	maxSuspects = 12
	// proofs is in how many processes an oracle must say the same.
	proofs = 3
	// reduceTime and reduceChecks limit how an input that an oracle has found is made smaller.
	reduceTime   = 3 * time.Second
	reduceChecks = 256
)

// examinations is what waits to be examined, and what it has cost.
type examinations struct {
	quick    []input.Args                 // to be asked about by all oracles but that of growth
	grow     []input.Args                 // to be grown
	cut      []*examination               // that the end of a turn has cut short; the first ones of the next turn
	took     time.Duration                // all of them together
	made     int                          // how many there were
	suspects map[finding.Kind]int         // inputs of each kind that were examined in processes of their own
	claimed  map[finding.Kind]bool        // whether one of the kind is being proved
	waiting  map[finding.Kind][]suspicion // for that, a few
}

// suspicion is what an oracle said about an input in a process that fuzzes.
type suspicion struct {
	args   input.Args
	report oracle.Report
}

// examination is a task: to examine an input.
type examination struct {
	args input.Args
	on   oracle.Set
}

// kindOf is the kind of finding that an oracle makes.
func kindOf(o oracle.Set) finding.Kind {
	switch o {
	case oracle.Alloc:
		return finding.Alloc
	case oracle.Growth:
		return finding.Growth
	case oracle.Leak:
		return finding.Leak
	case oracle.Modify:
		return finding.Modify
	case oracle.Keep:
		return finding.Keep
	}
	return finding.Unknown
}

// examineLater queues an input that passes, and remembers it. The caller holds the mutex.
func (r *run) examineLater(a input.Args) {
	if r.Remember {
		r.passed = append(r.passed, a)
	}
	if r.Oracles.On&^oracle.Growth != 0 {
		r.exams.quick = append(r.exams.quick, a)
	}
	if r.Oracles.On.Has(oracle.Growth) && a.Size() > 0 && !r.Repeatable { // all about growth is a matter of time
		r.exams.grow = append(r.exams.grow, a)
	}
}

// dueExamination returns what is to be examined now, nil for nothing; last says that there is nothing else to do. The caller
// holds the mutex.
func (r *run) dueExamination(last bool) *task {
	x := &r.exams
	tooMuch := x.took > examineCredit+time.Duration(r.nanos)/examineShare && x.made >= examineAlways
	if tooMuch || r.closed || r.warmDone < r.warmTotal {
		return nil
	}
	list, on := &x.quick, r.Oracles.On&^oracle.Growth
	grows := (last || time.Duration(r.nanos) >= growthTime) && r.leaves(growthLeft)
	if e := x.resume(grows); e != nil {
		return &task{exam: e, grant: 1}
	}
	if grows && (len(*list) == 0 || len(x.grow) > 0 && x.made%growthEvery == growthEvery-1) {
		list, on = &x.grow, oracle.Growth
	}
	if len(*list) == 0 {
		return nil
	}
	return &task{exam: &examination{x.take(list), on}, grant: 1} // or others, who have no executions left, would end the run
}

// leaves reports whether the turn does not end for so long.
func (r *run) leaves(d time.Duration) bool {
	return r.due.IsZero() || time.Until(r.due) >= d
}

// resume takes an examination that was cut short, nil if there is none that may be made; grows says whether one about growth
// may.
func (x *examinations) resume(grows bool) *examination {
	i := slices.IndexFunc(x.cut, func(e *examination) bool { return grows || e.on != oracle.Growth })
	if i < 0 {
		return nil
	}
	e := x.cut[i]
	x.cut = slices.Delete(x.cut, i, i+1)
	return e
}

// take takes an input from a list: the first ones, which the user gave; then the newest one and any other in turn, since
// for all of a large corpus there is no time.
func (x *examinations) take(list *[]input.Args) input.Args {
	all := *list
	i := 0
	switch {
	case x.made < examineAlways:
	case x.made%2 == 0:
		i = len(all) - 1
	default:
		i = int(uint32(x.made) * 2654435769 % uint32(len(all)))
	}
	x.made++
	a := all[i]
	*list = slices.Delete(all, i, i+1)
	return a
}

// suspectGreedy has an input examined soon that allocated much while its mutants were executed.
func (r *run) suspectGreedy(packed []byte) {
	if len(packed) == 0 || !r.Oracles.On.Has(oracle.Alloc) {
		return
	}
	a, _, err := input.Decode(packed, r.Kinds)
	if err != nil {
		return // as in discovered
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exams.quick = append(r.exams.quick, a)
}

// examine has the worker of s examine an input.
func (r *run) examine(s *slot, x *examination) error {
	limits := r.Oracles
	limits.On, limits.Patience = x.on, min(limits.Patience, patienceAside)
	begin := time.Now()
	res, err := s.worker.Examine(r.ctx, wire.Examine{Input: input.Append(nil, x.args), Limits: limits})
	r.noteExamination(x, time.Since(begin), len(res.Reports))
	if err != nil {
		return r.lost(s, err, nil)
	}
	if res.Failed != nil {
		return r.failed(s, *res.Failed, nil)
	}
	for _, report := range res.Reports {
		if err := r.suspect(s, x.args, report); err != nil {
			return err
		}
	}
	return nil
}

// noteExamination books an examination. One that the end of the turn has cut short is for the next turn.
func (r *run) noteExamination(x *examination, took time.Duration, reports int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Repeatable {
		took = examineNominal
	}
	r.exams.took += took
	if r.ctx.Err() == nil && !r.stopping || reports > 0 {
		return
	}
	r.stopping = true // not that it is chosen again before the end of the turn is noticed
	r.exams.cut = append(r.exams.cut, x)
}

// suspect deals with what an oracle said about an input in a process that fuzzes: it counts when processes of their own
// say the same. What they do not confirm is nothing to tell. One of a kind is proved at a time, by the worker that begins with that.
func (r *run) suspect(s *slot, a input.Args, report oracle.Report) error {
	kind := kindOf(report.Oracle)
	next, ok := suspicion{a, report}, false
	for ok = r.begin(kind, next); ok; next, ok = r.end(kind) {
		if err := r.proveSuspect(s, kind, next.args, next.report); err != nil {
			r.mu.Lock()
			r.exams.claimed[kind] = false
			r.mu.Unlock()
			return err
		}
	}
	return nil
}

// proveSuspect asks processes of their own.
func (r *run) proveSuspect(s *slot, kind finding.Kind, a input.Args, report oracle.Report) error {
	original := a
	begin := time.Now()
	if report.Oracle == oracle.Modify && r.isKnownWriter(a) {
		r.bookInVain(time.Since(begin))
		return nil
	}
	if r.MinimizeTime > 0 || r.MinimizeLimit > 0 {
		a, report = r.reduce(s, a, report)
	}
	took := time.Since(begin)
	r.endWorker(s) // its memory and its processor may be needed
	f, err := r.confirm(a, report)
	if err == nil && f != nil && f.Kind == finding.Growth {
		f, err = r.price(f, report.Copies)
	}
	if err != nil || f == nil {
		r.bookInVain(time.Since(begin))
		return r.unlessStopped(err)
	}
	f.Original, f.Minimize = original, took
	if isFinding, _ := r.claim(f, false); !isFinding {
		r.bookInVain(time.Since(begin))
		return nil
	}
	defer r.settled()
	r.put(f)
	r.keep(f)
	r.emit(Found{f})
	return nil
}

// begin reports whether a suspect is to be looked at now: not too many, and none that is a finding already. While another one of the
// kind is looked at, it waits.
func (r *run) begin(kind finding.Kind, one suspicion) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.exams
	if x.claimed[kind] {
		like := func(other suspicion) bool { return r.keyOf(kind, other) == r.keyOf(kind, one) }
		if r.worthProving(kind, one) && len(x.waiting[kind]) < maxSuspects && !slices.ContainsFunc(x.waiting[kind], like) {
			x.waiting[kind] = append(x.waiting[kind], one)
		}
		return false
	}
	return r.take(kind, one)
}

// take claims the proof for a suspect that is worth it. The caller holds the mutex.
func (r *run) take(kind finding.Kind, one suspicion) bool {
	if !r.worthProving(kind, one) {
		return false
	}
	r.exams.claimed[kind] = true
	r.exams.suspects[kind]++
	return true
}

// worthProving reports whether there were not too many suspects, and this one is no finding yet. The place of a write is not known
// yet, and that of a reference will not be. The caller holds the mutex.
func (r *run) worthProving(kind finding.Kind, one suspicion) bool {
	return r.exams.suspects[kind] < maxSuspects && (r.claimed[r.keyOf(kind, one)] == nil || kind == finding.Modify)
}

// keyOf is the key of the finding that a suspect would be.
func (r *run) keyOf(kind finding.Kind, one suspicion) string {
	return triage.Key(&finding.Finding{Kind: kind, Target: r.Target, Output: one.report.Message + "\n\n" + one.report.Detail})
}

// isKnownWriter reports whether the code that writes to the argument is that of a finding. Nearly every input of such a target
// has it written to, and to prove each one again would leave little time for fuzzing.
func (r *run) isKnownWriter(a input.Args) bool {
	r.mu.Lock()
	none := !slices.ContainsFunc(r.findings, func(f *finding.Finding) bool { return f.Kind == finding.Modify })
	r.mu.Unlock()
	if none {
		return false
	}
	place := placeOf(r.locate(r.judging(), r.question(a, oracle.Report{Oracle: oracle.Modify})))
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.places[finding.Signature{Kind: finding.Modify, Place: place}]) > 0
}

// question asks a process of its own for what the oracle of a report says about an input.
func (r *run) question(a input.Args, report oracle.Report) wire.Examine {
	m := wire.Examine{Input: input.Append(nil, a), Limits: r.Oracles, Piece: report.Piece}
	m.Limits.On = report.Oracle
	return m
}

// bookInVain counts the time of a suspect that brought no finding as time of examinations, so that it is not lost too often.
func (r *run) bookInVain(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Repeatable {
		took = examineNominal
	}
	r.exams.took += took
}

// end ends the proof for a suspect and returns the next one that waits for it, if there is one. At the end of a turn those that wait
// are to be examined once more in the next one.
func (r *run) end(kind finding.Kind) (next suspicion, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := &r.exams
	x.claimed[kind] = false
	if r.stopping {
		for _, one := range x.waiting[kind] {
			x.cut = append(x.cut, &examination{one.args, one.report.Oracle})
		}
		x.waiting[kind] = nil
	}
	for len(x.waiting[kind]) > 0 {
		next, x.waiting[kind] = x.waiting[kind][0], x.waiting[kind][1:]
		if r.take(kind, next) {
			return next, true
		}
	}
	return suspicion{}, false
}

// reduce makes an input smaller as long as the oracle says the same about it. Not for growth, where the whole curve would
// have to be measured for each candidate.
func (r *run) reduce(s *slot, a input.Args, report oracle.Report) (input.Args, oracle.Report) {
	if report.Oracle == oracle.Growth {
		return a, report
	}
	ctx, cancel := context.WithTimeout(r.judging(), reduceTime)
	defer cancel()
	limits := r.Oracles
	limits.On, limits.Patience = report.Oracle, min(limits.Patience, patienceAside)
	if r.ensureWorker(ctx, s, r.maxStack()) != nil { // what another oracle said of the input has ended the last one
		return a, report
	}
	var broken error
	place := placeOf(report.Detail)
	check := func(candidate input.Args) bool {
		var res executor.Examination
		if res, broken = s.worker.Examine(ctx, wire.Examine{Input: input.Append(nil, candidate), Limits: limits}); broken != nil {
			return false
		}
		if len(res.Reports) == 0 || placeOf(res.Reports[0].Detail) != place {
			return false
		}
		report = res.Reports[0]
		return true
	}
	stop := func() bool { return broken != nil || ctx.Err() != nil }
	best, _ := minimize.Minimize(a, minimize.Options{Check: check, MaxChecks: reduceChecks, Deadline: stop, RemoveOnly: true, FixLengths: true})
	if broken != nil {
		s.worker.Kill()
		r.dropWorker(s)
	}
	return best, report
}

// confirm examines an input in processes of their own. It returns nil if one of them does not say the same.
func (r *run) confirm(a input.Args, report oracle.Report) (*finding.Finding, error) {
	ctx := r.judging()
	f := &finding.Finding{
		Kind: kindOf(report.Oracle), Target: r.Target, Input: a,
		Measure: &finding.Measure{Alloc: r.Oracles.Alloc, Slow: r.Oracles.Slow, Patience: r.Oracles.Patience, Piece: finding.Piece(report.Piece)},
	}
	m := r.question(a, report)
	var last oracle.Report
	for range proofs {
		res, err := r.examineApart(ctx, m)
		if err != nil || len(res.Reports) == 0 {
			return nil, err
		}
		last = res.Reports[0]
		f.Replays++
		f.Failures++
	}
	f.Message = last.Message
	detail := last.Detail
	if report.Oracle == oracle.Modify {
		detail = r.locate(ctx, m)
	}
	f.Output = finding.Clean(strings.TrimRight(f.Message+"\n\n"+detail, "\n"))
	f.Place = placeOf(detail)
	return f, nil
}

// examineApart examines in a new process. One that dies by it has said nothing, except if the place of a write is looked
// for, which its last words tell.
func (r *run) examineApart(ctx context.Context, m wire.Examine) (res executor.Examination, err error) {
	w, _, err := r.Start(ctx)
	if err != nil {
		return res, err
	}
	defer w.Stop()
	r.mu.Lock()
	limit := r.MemLimit // which another worker may raise
	r.mu.Unlock()
	if err := w.Setup(wire.Setup{MemLimit: limit, Resident: true, Without: r.Without}); err != nil {
		return res, fmt.Errorf("set up a fuzzing process: %w", err)
	}
	res, err = w.Examine(ctx, m)
	var exit *executor.Exit
	if errors.As(err, &exit) {
		res.Reports, err = nil, nil
		if m.Locate {
			res.Reports = []oracle.Report{{Oracle: oracle.Modify, Detail: exit.Stderr}}
		}
	}
	return res, err
}

// locate returns the stack of the code that writes to an argument; nothing if that cannot be found out.
func (r *run) locate(ctx context.Context, m wire.Examine) string {
	m.Locate = true
	res, err := r.examineApart(ctx, m)
	if err != nil || len(res.Reports) == 0 {
		return ""
	}
	calls := finding.Calls(finding.Panic, res.Reports[0].Detail)
	if len(calls) == 0 {
		calls = finding.Calls(finding.Fatal, res.Reports[0].Detail)
	}
	return finding.Stack(calls)
}

// placeOf is the place of what an oracle found, by the stack that comes with it.
func placeOf(detail string) string { return finding.Frame(strings.Split(detail, "\n")) }
