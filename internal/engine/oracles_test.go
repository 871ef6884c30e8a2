package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// newOracleLab returns a lab that goes on after findings, with all oracles. say tells what they say about an input to
// a worker.
func newOracleLab(t *testing.T, say func(f *fakeWorker, data string, on oracle.Set) []oracle.Report) *lab {
	l := newLab(t)
	l.opts.KeepGoing, l.opts.MaxExecs, l.opts.Oracles = true, 100, oracle.Defaults()
	l.oracles = func(_ context.Context, f *fakeWorker, m wire.Measure) (executor.OracleResult, error) {
		data := dataOf(t, m)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.checked = append(l.checked, data+" "+m.Limits.On.String())
		return executor.OracleResult{Measured: wire.Measured{Execs: 1, Nanos: 1000, Reports: say(f, data, m.Limits.On)}}, nil
	}
	return l
}

func dataOf(t *testing.T, m wire.Measure) string {
	t.Helper()
	a, _, err := input.Decode(m.Input, bytesKind)
	if err != nil {
		t.Fatal(err)
	}
	return string(a[0].Data)
}

// leak is what the oracle of goroutines says.
func leak(place string) oracle.Report {
	return oracle.Report{
		Oracle: oracle.Leak, Message: "4 executions leave 4 goroutines behind",
		Detail: "goroutine 7 [chan receive]:\n" + place + "(0x1)\n\t/src/p/p.go:12 +0x1\ncreated by p.Parse in goroutine 3\n\t/src/p/p.go:3 +0x2\n",
	}
}

const quickOracles = "alloc,leak,modify,keep,flaky"

func TestOraclesLookAtEveryInputOnce(t *testing.T) {
	l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return nil })
	l.seeds("a", "")
	found := false
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, report func(wire.New)) (executor.Fuzzed, error) {
		if !found {
			found = true
			report(novel("new"))
		}
		return allOf(m), nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) > 0 || out.Final.Execs != 100 {
		t.Fatalf("the run ended with %+v (%v), want all executions and no finding", out, err)
	}
	slices.Sort(l.checked)
	// An empty input cannot grow.
	want := []string{" " + quickOracles, "a " + quickOracles, "a growth", "new " + quickOracles, "new growth"}
	if !slices.Equal(l.checked, want) {
		t.Errorf("what is checked is %q, want %q", l.checked, want)
	}
}

func TestAReportOfAnOracleIsConfirmedInOtherProcesses(t *testing.T) {
	var workers []int
	l := newOracleLab(t, func(f *fakeWorker, data string, on oracle.Set) []oracle.Report {
		if !on.Has(oracle.Leak) {
			return nil
		}
		if on == oracle.Leak { // a proof
			workers = append(workers, f.number)
		}
		return []oracle.Report{leak("p.wait")}
	})
	l.seeds("a", "b")
	out, err := l.goFuzz(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Findings) != 1 || len(eventsOf[foundEvent](l)) != 1 {
		t.Fatalf("there are %d findings, want one for both inputs", len(out.Findings))
	}
	f := out.Findings[0]
	if f.Kind != finding.Leak || f.Place != "p.wait p.go:12" || f.Replays != 3 || f.Failures != 3 || f.Flaky {
		t.Errorf("the finding is %+v", f)
	}
	if !slices.Equal(workers, []int{2, 3, 4}) {
		t.Errorf("it is proved by the workers %v, want three new ones", workers)
	}
	if f.Measure == nil || f.Measure.Limit != uint64(time.Second) || !strings.Contains(f.Output, "created by p.Parse") {
		t.Errorf("it comes with %+v and\n%s", f.Measure, f.Output)
	}
	if got := l.checkFile(f.Path); got != "a" && got != "b" {
		t.Errorf("the input on disk is %q", got)
	}
	if len(l.replayed) > 0 {
		t.Error("plain go test is asked, which passes with such an input")
	}
}

// To confirm a report may take as long as several replays.
func TestAWorkerThatConfirmsAReportExecutesNothingNew(t *testing.T) {
	var r *engine
	checking := 0
	l := newOracleLab(t, func(_ *fakeWorker, _ string, on oracle.Set) []oracle.Report {
		checking = r.Snapshot().Checking
		return nil
	})
	r = startTurn(t, l)
	one := reported{args("a"), leak("p.wait")}
	if err := r.oracles.reported(&slot{}, one); err != nil {
		t.Fatal(err)
	}
	if after := r.Snapshot().Checking; checking != 1 || after != 0 {
		t.Errorf("%d workers check what was found, and %d afterwards, want 1 and 0", checking, after)
	}
}

func TestWhatIsNotConfirmedIsNotReported(t *testing.T) {
	tests := []struct {
		name  string
		proof func(n int) ([]oracle.Report, error)
		asked int // processes of their own
	}{
		{"the first process says nothing", func(int) ([]oracle.Report, error) { return nil, nil }, 1},
		{"the last process says nothing", func(n int) ([]oracle.Report, error) {
			if n == 3 {
				return nil, nil
			}
			return []oracle.Report{leak("p.wait")}, nil
		}, 3},
		{"a process dies", func(int) ([]oracle.Report, error) { return nil, &executor.Exit{} }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newOracleLab(t, nil)
			l.seeds("a")
			asked := 0
			l.oracles = func(_ context.Context, f *fakeWorker, m wire.Measure) (r executor.OracleResult, err error) {
				switch m.Limits.On {
				case oracle.Growth:
				case oracle.Leak:
					asked++
					r.Reports, err = tt.proof(asked)
				default:
					r.Reports = []oracle.Report{leak("p.wait")}
				}
				return r, err
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) > 0 || len(eventsOf[foundEvent](l)) > 0 {
				t.Errorf("the run ended with %+v (%v), want no finding", out, err)
			}
			if asked != tt.asked {
				t.Errorf("%d processes were asked, want %d", asked, tt.asked)
			}
			if files := l.files(l.opts.CorpusDir); len(files) > 0 {
				t.Errorf("the files %v are left", files)
			}
		})
	}
}

// Oracles that are wrong time and again do not take the time of all others.
func TestTheReportsOfOneOracleAreLimited(t *testing.T) {
	proofs := 0
	l := newOracleLab(t, func(_ *fakeWorker, data string, on oracle.Set) []oracle.Report {
		if on == oracle.Leak {
			proofs++
			return nil
		}
		return []oracle.Report{leak("p.wait")}
	})
	l.opts.Oracles.On &^= oracle.Growth
	l.opts.Repeatable = true // by whose clock all of it takes next to nothing
	for i := range 30 {
		l.seeds(strings.Repeat("x", i))
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	if proofs != maxReports {
		t.Errorf("%d reports were confirmed, want %d", proofs, maxReports)
	}
}

func TestTheTimeOfOraclesIsLimited(t *testing.T) {
	l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return nil })
	l.opts.Repeatable, l.opts.MaxExecs = true, 30000
	l.opts.Oracles.On &^= oracle.Growth
	for i := range 400 {
		l.seeds(strings.Repeat("x", i))
	}
	if _, err := l.goFuzz(t.Context()); err != nil {
		t.Fatal(err)
	}
	// 300 ms at once, and a twentieth of the 300 ms of 30000 executions.
	if n := len(l.checked); n < 155 || n > 160 {
		t.Errorf("%d inputs were checked, want about 158", n)
	}
}

// While there is always something new, growth has its turn too, but not before the target was executed for a while.
func TestGrowthIsNotLeftForTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name    string
		nanos   uint64 // of a seed
		growths int    // among 40
	}{
		{"after a second", uint64(timedAfter) / 40, 10},
		{"before", uint64(timedAfter)/40 - 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return nil })
			for i := range 40 {
				l.seeds(strings.Repeat("x", i+1))
			}
			l.run = func(context.Context, *fakeWorker, string) (wire.Ran, error) {
				return wire.Ran{Execs: 1, Nanos: tt.nanos}, nil
			}
			if _, err := l.goFuzz(t.Context()); err != nil {
				t.Fatal(err)
			}
			growths := 0
			for _, e := range l.checked[:40] {
				if strings.HasSuffix(e, " growth") {
					growths++
				}
			}
			if growths != tt.growths || len(l.checked) != 80 {
				t.Errorf("%d of the first 40 checks are about growth, want %d; there are %d, want 80", growths, tt.growths, len(l.checked))
			}
		})
	}
}

// What the end of a turn cuts short was in vain, and those about growth that find something are the long ones.
func TestTheTurnHasTimeForGrowthWhenItIsLookedFor(t *testing.T) {
	for _, tt := range []struct {
		name string
		left time.Duration // of the turn; 0: its end is not known
		want []string
	}{
		{"in a turn that is about to end", timedLeft / 2, []string{"cut quick", "new quick"}},
		{"in a long one", time.Hour, []string{"cut growth", "cut quick", "new quick", "new growth"}},
		{"in one without an end", 0, []string{"cut growth", "cut quick", "new quick", "new growth"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.opts.Oracles = oracle.Defaults()
			r := startTurn(t, l)
			if tt.left > 0 {
				r.meter.due = r.Clock() + tt.left
			}
			r.meter.nanos = uint64(timedAfter)
			r.queue.cut = []check{{args("cut growth"), oracle.Growth}, {args("cut quick"), oracle.Leak}}
			r.queue.quick, r.queue.slow = []input.Args{args("new quick")}, []input.Args{args("new growth")}
			var got []string
			for {
				due := r.oracles.next(false)
				if due == nil {
					break
				}
				got = append(got, string(due.(*oracleTask).args[0].Data))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q are checked, want %q", got, tt.want)
			}
		})
	}
}

func TestAFailureDuringACheckIsAFinding(t *testing.T) {
	tests := []struct {
		name string
		say  func() (executor.OracleResult, error)
		kind finding.Kind
	}{
		{"of the target", func() (executor.OracleResult, error) {
			return executor.OracleResult{Failed: &wire.Failed{Input: packed("longer"), Output: failedAt(3)}}, nil
		}, finding.Failure},
		{"of the process", func() (executor.OracleResult, error) {
			return executor.OracleResult{}, &executor.Exit{Err: errors.New("exit status 2"), Stderr: "fatal error: stack overflow\n", Input: args("longer")}
		}, finding.Fatal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newOracleLab(t, nil)
			l.seeds("a")
			l.oracles = func(context.Context, *fakeWorker, wire.Measure) (executor.OracleResult, error) { return tt.say() }
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != 1 {
				t.Fatalf("the run ended with %+v (%v), want one finding", out, err)
			}
			if f := out.Findings[0]; f.Kind != tt.kind || string(f.Input[0].Data) != "longer" || f.Measure != nil || f.Replays != replaysOfMany {
				t.Errorf("the finding is %+v, want one of the kind %v with the input that was executed", f, tt.kind)
			}
		})
	}
}

func TestOraclesLookAtAMutantThatAllocatesMuch(t *testing.T) {
	l := newOracleLab(t, func(_ *fakeWorker, data string, on oracle.Set) []oracle.Report {
		if data == "greedy" && on.Has(oracle.Alloc) {
			return []oracle.Report{{Oracle: oracle.Alloc, Message: "one execution allocates 152 MiB"}}
		}
		return nil
	})
	l.seeds("a")
	l.fuzz = func(_ context.Context, f *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if f.setup.Alloc != oracle.Defaults().Of(oracle.Alloc) {
			t.Errorf("the worker looks for %d bytes, want %d", f.setup.Alloc, oracle.Defaults().Of(oracle.Alloc))
		}
		r := allOf(m)
		r.Greedy = packed("greedy")
		return r, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || out.Findings[0].Kind != finding.Alloc || string(out.Findings[0].Input[0].Data) != "greedy" {
		t.Errorf("the run ended with %+v (%v), want the greedy input as finding", out, err)
	}
}

func TestNoOracleRunsIfNoneIsOn(t *testing.T) {
	tests := []struct {
		name string
		set  func(l *lab)
	}{
		{"no oracle is on", func(l *lab) { l.opts.Oracles.On = 0 }},
		{"the race detector is in the binary", func(l *lab) { l.hello.Race = true }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newOracleLab(t, func(*fakeWorker, string, oracle.Set) []oracle.Report { return nil })
			l.seeds("a")
			tt.set(l)
			if _, err := l.goFuzz(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(l.checked) > 0 {
				t.Errorf("%q were checked", l.checked)
			}
		})
	}
}

func TestACheckThatIsCutShortIsMadeInTheNextTurn(t *testing.T) {
	l := newOracleLab(t, nil)
	l.opts.Oracles.On = oracle.Leak
	l.seeds("a")
	var end func() // of the turn
	times := 0
	l.oracles = func(context.Context, *fakeWorker, wire.Measure) (executor.OracleResult, error) {
		if times++; times == 1 {
			end()
		}
		return executor.OracleResult{}, nil
	}
	target := New(l.options())
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		end = cancel
		if err := target.Fuzz(ctx, time.Minute, 0, 1); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if times != 2 {
		t.Errorf("the input was checked %d times, want once more after the first turn", times)
	}
	checkGoroutines(t)
}

// The place of a write is looked for in a process that may die by it.
func TestTheWriterIsLookedFor(t *testing.T) {
	for _, dies := range []bool{false, true} {
		l := newOracleLab(t, nil)
		l.seeds("a")
		l.oracles = func(_ context.Context, _ *fakeWorker, m wire.Measure) (r executor.OracleResult, err error) {
			report := oracle.Report{Oracle: oracle.Modify, Message: "the target writes"}
			stack := "goroutine 7 [running]:\np.scribble(0x1)\n\t/src/p/p.go:12 +0x1\n"
			switch {
			case m.Limits.On == oracle.Growth:
				return r, nil
			case m.Locate && dies:
				return r, &executor.Exit{Stderr: "unexpected fault address 0x1\nfatal error: fault\n\n" + stack}
			case m.Locate:
				report.Detail = "    testing.go:1: panic: runtime error: invalid memory address\n        " + strings.ReplaceAll(stack, "\n", "\n        ")
			}
			r.Reports = []oracle.Report{report}
			return r, nil
		}
		out, err := l.goFuzz(t.Context())
		if err != nil || len(out.Findings) != 1 || out.Findings[0].Place != "p.scribble p.go:12" {
			t.Errorf("the run ended with %+v (%v), want a finding at the writer", out, err)
		}
	}
}

// A target that writes to its argument does so with nearly every input.
func TestAWriterThatIsKnownIsNotConfirmedAgain(t *testing.T) {
	l := newOracleLab(t, nil)
	l.opts.Oracles.On = oracle.Modify
	l.opts.Repeatable = true // by whose clock all of it takes next to nothing
	l.seeds("a", "b", "c", "other", "d")
	proved, located := 0, 0
	l.oracles = func(_ context.Context, f *fakeWorker, m wire.Measure) (r executor.OracleResult, err error) {
		report := oracle.Report{Oracle: oracle.Modify, Message: "the target writes"}
		switch {
		case m.Locate:
			located++
			line := 12
			if dataOf(t, m) == "other" {
				line = 30
			}
			report.Detail = fmt.Sprintf("    testing.go:1: panic: runtime error: invalid memory address\n        goroutine 7 [running]:\n"+
				"        p.scribble(0x1)\n        \t/src/p/p.go:%d +0x1\n", line)
		case f.setup.Resident: // a process of its own
			proved++
		}
		r.Reports = []oracle.Report{report}
		return r, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 2 {
		t.Fatalf("the run ended with %+v (%v), want a finding for each of two writers", out.Findings, err)
	}
	// The first input needs no look at whether its writer is known, that of the second writer needs two.
	if proved != 2*confirmingProcesses || located != 6 {
		t.Errorf("%d processes proved and %d looked for the writer, want %d and 6", proved, located, 2*confirmingProcesses)
	}
}

func TestAReportThatIsAFindingAlreadyCostsTime(t *testing.T) {
	proofs := 0
	l := newOracleLab(t, func(_ *fakeWorker, _ string, on oracle.Set) []oracle.Report {
		if on == oracle.Leak { // in a process of its own, the goroutine is always the same one
			proofs++
			return []oracle.Report{leak("p.wait")}
		}
		return []oracle.Report{leak(fmt.Sprintf("p.wait%d", proofs))}
	})
	l.opts.Oracles.On &^= oracle.Growth
	l.opts.Repeatable, l.opts.MaxExecs = true, 1000
	for i := range 200 {
		l.seeds(strings.Repeat("x", i))
	}
	target := New(l.options())
	if err := target.Fuzz(t.Context(), 0, 0, 1); err != nil {
		t.Fatal(err)
	}
	// The first report is a finding; the others cost a check more than their own.
	x := target.engine.queue
	if len(target.Outcome().Findings) != 1 || x.took != time.Duration(x.made+maxReports-1)*checkNominal {
		t.Errorf("%d checks with %d reports took %s in all, want that of the reports in it", x.made, maxReports, x.took)
	}
	checkGoroutines(t)
}

func TestTwoOraclesReportOneInput(t *testing.T) {
	l := newOracleLab(t, func(_ *fakeWorker, data string, on oracle.Set) (reports []oracle.Report) {
		if strings.Contains(data, "x") && on.Has(oracle.Leak) {
			reports = append(reports, leak("p.wait"))
		}
		if strings.Contains(data, "x") && on.Has(oracle.Keep) {
			reports = append(reports, oracle.Report{Oracle: oracle.Keep, Message: "the argument is referenced"})
		}
		return reports
	})
	l.opts.Minimize.Time = time.Minute
	l.seeds("abcxyz")
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 2 {
		t.Fatalf("Run = %v, %v; want a finding of each oracle", out.Findings, err)
	}
	for _, f := range out.Findings {
		if string(f.Input[0].Data) != "x" {
			t.Errorf("%v is reported with the input %q, want what is left of it", f.Kind, f.Input[0].Data)
		}
	}
}

// What an oracle says about an input while another worker proves the like of another one is not forgotten.
func TestAReportWaitsUntilAnotherIsConfirmed(t *testing.T) {
	r := startTurn(t, newLab(t))
	report := func(in string) reported { return reported{args(in), leak("p.wait" + in)} }
	if !r.queue.begin(finding.Leak, report("A")) || r.queue.begin(finding.Leak, report("B")) || !r.queue.begin(finding.Keep, report("C")) {
		t.Fatal("one of a kind is to be proved at a time")
	}
	for range 2 * maxReports {
		r.queue.begin(finding.Leak, report("B")) // once is enough
	}
	for i := range 2 * maxReports {
		r.queue.begin(finding.Leak, report(string(rune('a'+i))))
	}
	if next, ok := r.queue.end(finding.Leak, r.turn.isStopping()); !ok || string(next.args[0].Data) != "B" {
		t.Errorf("the next one is %q, %v, want B", next.args.Values(), ok)
	}
	if r.queue.begin(finding.Leak, report("E")) {
		t.Error("while B is proved, E has to wait")
	}
	for n := 2; ; n++ {
		next, ok := r.queue.end(finding.Leak, r.turn.isStopping())
		if ok && string(next.args[0].Data) == "B" {
			t.Error("B is proved twice")
		}
		if !ok {
			if n != maxReports {
				t.Errorf("%d were proved, want %d", n, maxReports)
			}
			break
		}
	}
}

func TestOraclesLookAgainAtReportsThatWaitAtTheEndOfATurn(t *testing.T) {
	r := startTurn(t, newLab(t))
	for _, in := range []string{"A", "B", "C"} {
		r.queue.begin(finding.Leak, reported{args(in), leak("p.wait" + in)})
	}
	r.turn.noMore()
	if _, ok := r.queue.end(finding.Leak, r.turn.isStopping()); ok {
		t.Error("another one is proved")
	}
	if cut := r.queue.cut; len(cut) != 2 || string(cut[0].args[0].Data) != "B" || cut[0].on != oracle.Leak || len(r.queue.waiting[finding.Leak]) > 0 {
		t.Errorf("%d are to be checked again, and %d wait; want B and C, and none", len(cut), len(r.queue.waiting[finding.Leak]))
	}
}
