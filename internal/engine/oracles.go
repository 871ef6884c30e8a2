package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

const (
	// confirmingProcesses is in how many processes an oracle must report the same.
	confirmingProcesses = 3
	// reduceTime and reduceChecks limit how an input that an oracle has found is made smaller.
	reduceTime   = 3 * time.Second
	reduceChecks = 256
)

// oracles has workers measure inputs that pass.
type oracles struct {
	*state
	verifier *verifier
}

// oracleTask is the task to have oracles measure one input.
type oracleTask struct {
	*oracles
	check
}

// next returns the next task of the oracles; nil: there is none. last says that there is nothing else to do.
func (o *oracles) next(last bool) task {
	if o.ledger.isClosed() || !o.warmup.isOver() {
		return nil
	}
	c, ok := o.queue.next(last)
	if !ok {
		return nil
	}
	return &oracleTask{o, c}
}

// grant promises an execution, or other workers, which have no executions left, would end the run.
func (t *oracleTask) grant() uint64 { return 1 }

func (t *oracleTask) wholeStack() bool { return false }

func (t *oracleTask) giveBack() { t.queue.putBack(t.check) }

func (t *oracleTask) perform(s *slot) error {
	begin := t.Clock()
	res, err := s.worker.RunOracles(t.turn.ctx, wire.Measure{Input: input.Append(nil, t.args), Limits: t.Oracles.Fast(t.on)})
	t.note(t.check, t.Clock()-begin, len(res.Reports))
	if err != nil {
		return t.verifier.lost(s, err, nil)
	}
	if res.Failed != nil {
		return t.verifier.failed(s, *res.Failed, nil)
	}
	for _, report := range res.Reports {
		if err := t.reported(s, reported{t.args, report}); err != nil {
			return err
		}
	}
	return nil
}

// note counts the time of a check. One that the end of the turn has cut short is for the next turn.
func (o *oracles) note(c check, took time.Duration, reports int) {
	o.queue.addTime(took)
	if o.turn.ctx.Err() == nil && !o.turn.isStopping() || reports > 0 {
		return
	}
	o.turn.noMore() // otherwise the check could be chosen again before the end of the turn is noticed
	o.queue.putBack(c)
}

// reported deals with the report of an oracle in a process that fuzzes. It becomes a finding if fresh processes report the same;
// otherwise the user does not see it. One report of a kind is confirmed at a time, by the worker that began with the kind.
func (o *oracles) reported(s *slot, one reported) error {
	kind := kindOf(one.report.Oracle)
	for ok := o.queue.begin(kind, one); ok; one, ok = o.queue.end(kind, o.turn.isStopping()) {
		if err := o.settle(s, kind, one); err != nil {
			o.queue.abort(kind)
			return err
		}
	}
	return nil
}

// kindOf returns the kind of finding that an oracle makes: the one with its name.
func kindOf(o oracle.Set) finding.Kind {
	kind, _ := finding.KindNamed(o.String())
	return kind
}

// settle has fresh processes confirm a report, and makes it a finding. If it does not become one, the time counts as time of the
// oracles, so that reports of this kind do not take too much.
func (o *oracles) settle(s *slot, kind finding.Kind, one reported) error {
	defer o.meter.check()()
	begin := o.Clock()
	f, err := o.verify(s, kind, one)
	if err != nil || f == nil {
		o.queue.addTime(o.Clock() - begin)
		return o.turn.unlessStopped(err)
	}
	f.Original = one.args
	if got, _ := o.ledger.claim(f, claimant{again: true}); got != claimed {
		o.queue.addTime(o.Clock() - begin)
		return nil
	}
	defer o.ledger.concluded(f)
	o.files.put(f)
	o.files.keep(f)
	o.events.found(f)
	return nil
}

// verify makes the input of a report smaller and has fresh processes confirm it; nil: they do not.
func (o *oracles) verify(s *slot, kind finding.Kind, one reported) (*finding.Finding, error) {
	begin := o.Clock()
	if one.report.Oracle.Located() != 0 && o.isKnownPlace(kind, one) {
		return nil, nil
	}
	if o.verifier.minimizer.isOn() {
		one = o.reduce(s, one)
	}
	took := o.Clock() - begin
	o.pool.end(s) // its memory and its processor may be needed
	f, err := o.confirm(one)
	if err == nil && f != nil && f.Kind == finding.Growth {
		f, err = o.price(f, one.report.Copies)
	}
	if f != nil {
		f.Minimize = took
	}
	return f, err
}

// isKnownPlace reports whether the place of a report, which it lacks, is that of a finding. If a target writes to its argument, it
// does so with nearly every input, and to confirm each one again would leave little time for fuzzing.
func (o *oracles) isKnownPlace(kind finding.Kind, one reported) bool {
	if !o.ledger.has(kind) {
		return false
	}
	place := placeOf(o.locate(o.turn.verifying(), o.message(reported{one.args, oracle.Report{Oracle: one.report.Oracle}})))
	return o.ledger.isFound(kind, place)
}

// message returns the request to have the oracle of a report measure its input again, in a fresh process.
func (o *oracles) message(one reported) wire.Measure {
	m := wire.Measure{Input: input.Append(nil, one.args), Limits: o.Oracles, Piece: one.report.Piece}
	m.Limits.On = one.report.Oracle
	return m
}

// reduce makes an input smaller as long as the oracle reports the same about it. Not for one that measures time, where the whole
// curve would have to be measured for each candidate.
func (o *oracles) reduce(s *slot, one reported) reported {
	if one.report.Oracle.Timed() != 0 {
		return one
	}
	ctx, cancel := context.WithTimeout(o.turn.verifying(), reduceTime)
	defer cancel()
	limits := o.Oracles.Fast(one.report.Oracle)
	if o.pool.ensure(ctx, s, o.verifier.overflows.maxStack()) != nil { // what another oracle has found has ended the last one
		return one
	}
	var broken error
	place := placeOf(one.report.Detail)
	same := func(candidate input.Args) bool {
		var res executor.OracleResult
		if res, broken = s.worker.RunOracles(ctx, wire.Measure{Input: input.Append(nil, candidate), Limits: limits}); broken != nil {
			return false
		}
		if len(res.Reports) == 0 || placeOf(res.Reports[0].Detail) != place {
			return false
		}
		one.report = res.Reports[0]
		return true
	}
	stop := func() bool { return broken != nil || ctx.Err() != nil }
	one.args, _ = minimize.Minimize(one.args, minimize.Options{Check: same, MaxChecks: reduceChecks, Deadline: stop, RemoveOnly: true, FixLengths: true})
	if broken != nil {
		o.pool.kill(s)
	}
	return one
}

// confirm has fresh processes measure an input. It returns nil if one of them does not report the same.
func (o *oracles) confirm(one reported) (*finding.Finding, error) {
	ctx := o.turn.verifying()
	f := &finding.Finding{
		Kind: kindOf(one.report.Oracle), Target: o.Target.Func, Input: one.args,
		Measure: &finding.Measure{Limit: o.Oracles.Of(one.report.Oracle), Piece: finding.Piece(one.report.Piece)},
	}
	m := o.message(one)
	var last oracle.Report
	for range confirmingProcesses {
		res, err := o.apart(ctx, m)
		if err != nil || len(res.Reports) == 0 {
			return nil, err
		}
		last = res.Reports[0]
		f.Replays++
		f.Failures++
	}
	f.Message = last.Message
	detail := last.Detail
	if one.report.Oracle.Located() != 0 {
		detail = o.locate(ctx, m)
	}
	f.SetOutput(finding.Clean(strings.TrimRight(f.Message+"\n\n"+detail, "\n")))
	f.Place = placeOf(detail)
	return f, nil
}

// apart has oracles measure an input in a fresh process. A process that dies has reported nothing, except when it looks for the place
// of a report: its error output shows the place. A process in which something is refused has reported nothing either, because plain go test
// would do something else.
func (o *oracles) apart(ctx context.Context, m wire.Measure) (res executor.OracleResult, err error) {
	w, err := startApart(ctx, o.Start, func(wire.Hello) wire.Setup {
		return wire.Setup{MemLimit: o.pool.limit(), Resident: true, Without: o.Without}
	})
	if err != nil {
		return res, err
	}
	defer w.Stop()
	res, err = w.RunOracles(ctx, m)
	var exit *executor.Exit
	if errors.As(err, &exit) {
		res.Reports, err = nil, nil
		if m.Locate {
			res.Reports = []oracle.Report{{Oracle: m.Limits.On, Detail: exit.Stderr}}
		}
		return res, nil
	}
	if err != nil || !o.Refuse {
		return res, err
	}
	if action, _ := w.Refused(); action != "" {
		o.refusals.tell(action)
		res.Reports = nil
	}
	return res, err
}

// locate returns the stack of what an oracle reports without a place; nothing if that cannot be found out.
func (o *oracles) locate(ctx context.Context, m wire.Measure) string {
	m.Locate = true
	res, err := o.apart(ctx, m)
	if err != nil || len(res.Reports) == 0 {
		return ""
	}
	calls := finding.Calls(finding.Panic, res.Reports[0].Detail)
	if len(calls) == 0 {
		calls = finding.Calls(finding.Fatal, res.Reports[0].Detail)
	}
	return finding.Stack(calls)
}

// placeOf returns the place of what an oracle found, by the stack that comes with it.
func placeOf(detail string) string { return finding.Frame(strings.Split(detail, "\n")) }
