package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// failingWith is the output of a failure at one place, whose message does not have the input in it.
func failingWith(reason string) string {
	letters := []byte(reason)
	slices.Reverse(letters)
	return fmt.Sprintf("    x_test.go:7: the %s is wrong\n", letters)
}

var reasons = []string{"header", "body", "trailer", "checksum", "secret", "length"}

func TestEachFailingSeedIsTold(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reason func(data string) string
		want   int // findings
	}{
		{"however many fail at one place", func(data string) string { return data }, len(reasons)},
		{"also one that fails as another one does", func(string) string { return "same" }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.seeds(reasons...)
			l.opts.KeepGoing, l.opts.MaxExecs = true, 100
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "" {
					return pass, nil
				}
				return ranFailing(failingWith(tt.reason(data))), nil
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != tt.want {
				t.Errorf("Run = %d findings, %v; want %d", len(out.Findings), err, tt.want)
			}
			if n := len(eventsOf[event.SeedFailed](l)); n != len(reasons) {
				t.Errorf("%d seeds are reported, want %d", n, len(reasons))
			}
		})
	}
}

// mutants has the target fail with each of the reasons, in order, then pass.
func (l *lab) mutants(inputs ...string) {
	l.seeds("seed")
	l.opts.KeepGoing, l.opts.MaxExecs = true, 100*uint64(len(inputs))
	n := 0
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if n++; n > len(inputs) {
			return allOf(m), nil
		}
		reason, _, _ := strings.Cut(inputs[n-1], " ")
		return failing(inputs[n-1], failingWith(reason)), nil
	}
}

func TestKnownAndFlakyFindingsLeaveRoomForOthersAtTheirPlace(t *testing.T) {
	last := reasons[len(reasons)-1]
	for _, tt := range []struct {
		name   string
		known  bool // all findings but the last one
		flaky  bool
		want   int // findings
		beyond int // messages
	}{
		{"new ones do not", false, false, maxAtPlace, len(reasons) - maxAtPlace},
		{"known ones do", true, false, len(reasons), 0},
		{"flaky ones do", false, true, maxAtPlace + 1, 0}, // one of them is not even run three times
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.mutants(reasons...)
			l.opts.Known = func(f *finding.Finding) bool { return tt.known && string(f.Input[0].Data) != last }
			l.replay = func(data string, _ finding.Kind) proof.Verdict {
				if tt.flaky && data != last {
					return proof.Passes
				}
				return proof.Fails
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != tt.want {
				t.Fatalf("Run = %d findings, %v; want %d", len(out.Findings), err, tt.want)
			}
			if f := out.Findings[len(out.Findings)-1]; (tt.known || tt.flaky) && (string(f.Input[0].Data) != last || f.Flaky) {
				t.Errorf("the last finding is %q, flaky %v; want %q", f.Input[0].Data, f.Flaky, last)
			}
			beyond := 0
			for _, b := range out.Beyond {
				beyond += b.Messages
			}
			if beyond != tt.beyond {
				t.Errorf("%d messages are beyond the limit, want %d", beyond, tt.beyond)
			}
			for f, others := range out.Others {
				t.Errorf("%q has the inputs %v of other failures", f.Message, others)
			}
		})
	}
}

func TestAFlakyFindingDoesNotHideASureOne(t *testing.T) {
	const flaky, sure = "table 1", "table 2 sure"
	for _, tt := range []struct {
		name string
		set  func(l *lab)
	}{
		{"of mutants", func(l *lab) { l.mutants(flaky, flaky+" again", sure) }},
		{"of seeds", func(l *lab) {
			l.seeds(flaky, sure)
			l.opts.KeepGoing, l.opts.MaxExecs = true, 100
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "" {
					return pass, nil
				}
				return ranFailing(failingWith("table")), nil
			}
		}},
		{"that hangs", func(l *lab) {
			l.mutants(flaky, flaky+" again", sure)
			l.opts.PlainReplay = true
			fuzz := l.fuzz
			l.fuzz = func(ctx context.Context, w *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				got, err := fuzz(ctx, w, m, found)
				if got.Failed == nil {
					return got, err
				}
				return executor.Fuzzed{}, hangOf(w.lab.decode(got.Failed.Input))
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			tt.set(l)
			l.replay = func(data string, _ finding.Kind) proof.Verdict {
				if data == sure {
					return proof.Fails
				}
				return proof.Passes
			}
			out, err := l.goFuzz(t.Context())
			if err != nil || len(out.Findings) != 2 {
				t.Fatalf("Run = %+v, %v; want two findings", out.Findings, err)
			}
			f, other := out.Findings[1], out.Findings[0]
			if string(f.Input[0].Data) != sure || f.Flaky || !other.Flaky {
				t.Errorf("the findings are %q, flaky %v, and %q, flaky %v; want a flaky one and %q", other.Input[0].Data, other.Flaky, f.Input[0].Data, f.Flaky, sure)
			}
		})
	}
}

// Where each process of a target fails by chance, running each of these inputs again would take all of the time.
func TestInputsLikeThoseOfAFlakyFindingAreRunAgainForAPartOfTheTime(t *testing.T) {
	l := newLab(t)
	c := l.useClock()
	const inputs = 8
	var list []string
	for i := range inputs {
		list = append(list, fmt.Sprint("table ", i))
	}
	l.mutants(list...)
	l.replay = func(string, finding.Kind) proof.Verdict { c.advance(time.Second); return proof.Passes }
	out, err := l.goFuzz(t.Context())
	if err != nil || len(out.Findings) != 1 || !out.Findings[0].Flaky {
		t.Fatalf("Run = %+v, %v; want one flaky finding", out.Findings, err)
	}
	tried := int(leastTrying / time.Second)
	if len(l.replayed) != replaysOfMany+tried || len(out.Beyond) != 1 || out.Beyond[0].Untried != inputs-1-tried {
		t.Errorf("%d replays, and %+v is left; want %d and %d", len(l.replayed), out.Beyond, replaysOfMany+tried, inputs-1-tried)
	}
}

// overLimit is how a worker ends itself because of memory that was allocated in a function.
func overLimit(in, function string) error {
	exit := tooMuch(in).(*executor.Exit)
	exit.Stderr += "\ngoroutine 7 [running]:\nexample.com/m." + function + "(...)\n\t/src/m/m.go:3 +0x1d\n" +
		"created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/src/testing/fuzz.go:1 +0x1\n"
	return exit
}

func TestAnInputOfTooMuchMemoryDoesNotHideOthers(t *testing.T) {
	for _, tt := range []struct {
		name      string
		functions []string // that allocate, in order
		keepGoing bool
		known     bool // the first finding
		want      []string
	}{
		{"that allocate elsewhere", []string{"grow", "grow", "read"}, true, false, []string{"grow", "read"}},
		{"also a known one", []string{"a", "b", "c", "d", "e"}, true, true, []string{"a", "b", "c", "d", "e"}},
		{"up to a limit", []string{"a", "b", "c", "d", "e"}, true, false, []string{"a", "b", "c", "d"}},
		{"but a run that ends with the first failure has one", []string{"grow", "read"}, false, false, []string{"grow"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			l.mutants(tt.functions...)
			l.opts.KeepGoing, l.opts.MemLimit = tt.keepGoing, 64<<20
			l.opts.Known = func(f *finding.Finding) bool { return tt.known && string(f.Input[0].Data) == tt.functions[0] }
			fuzz := l.fuzz
			l.fuzz = func(ctx context.Context, w *fakeWorker, m wire.Fuzz, found func(wire.New)) (executor.Fuzzed, error) {
				got, err := fuzz(ctx, w, m, found)
				if got.Failed == nil {
					return got, err
				}
				function := w.lab.decode(got.Failed.Input)
				return executor.Fuzzed{}, overLimit(function, function)
			}
			l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
				if data == "seed" || data == "" {
					return pass, nil
				}
				return wire.Ran{}, overLimit(data, data)
			}
			out, err := l.goFuzz(t.Context())
			var got []string
			for _, f := range out.OverLimit {
				got = append(got, string(f.Input[0].Data))
			}
			if err != nil || fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("Run = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

// Which place has allocated most may differ from one execution of an input to the next.
func TestOneInputOfTooMuchMemoryIsOneFinding(t *testing.T) {
	l := newLab(t)
	l.mutants("much", "much")
	l.opts.MemLimit = 64 << 20
	n := 0
	l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
		if n++; n > 2 {
			return allOf(m), nil
		}
		return executor.Fuzzed{}, overLimit("much", []string{"grow", "read"}[n-1])
	}
	l.run = func(_ context.Context, _ *fakeWorker, data string) (wire.Ran, error) {
		if data == "much" {
			return wire.Ran{}, overLimit(data, "grow")
		}
		return pass, nil
	}
	out, err := l.goFuzz(t.Context())
	if err != nil || n < 3 || len(out.OverLimit) != 1 || len(eventsOf[event.OverLimit](l)) != 1 {
		t.Fatalf("Run = %d findings in %d requests, %v, and %d are announced; want one", len(out.OverLimit), n, err, len(eventsOf[event.OverLimit](l)))
	}
	if f := out.OverLimit[0]; l.checkFile(f.Path) != "much" {
		t.Errorf("the finding is %+v", f)
	}
}

// The code says what of a message is constant: a short word of an input could as well be one of the message.
func TestMessagesOfOneFormatAreOneFinding(t *testing.T) {
	at := finding.Call{File: "x_test.go", Line: 7}
	for _, tt := range []struct {
		name    string
		formats func(finding.Call) []finding.Format
		want    int // findings
		beyond  int // messages
	}{
		{"if the code is known", func(c finding.Call) []finding.Format {
			if c != at {
				t.Errorf("it asks for %+v, want %+v", c, at)
			}
			return []finding.Format{{"", " is wrong"}}
		}, 1, 0},
		{"but not if it is not", nil, maxAtPlace, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t)
			inputs := []string{"a", "b", "c", "d", "e", "f"}
			l.mutants(inputs...)
			n := 0
			l.fuzz = func(_ context.Context, _ *fakeWorker, m wire.Fuzz, _ func(wire.New)) (executor.Fuzzed, error) {
				if n++; n > len(inputs) {
					return allOf(m), nil
				}
				return failing(inputs[n-1], "    x_test.go:7: "+inputs[n-1]+" is wrong\n"), nil
			}
			asked := 0
			if tt.formats != nil {
				l.opts.Formats = func(c finding.Call) []finding.Format { asked++; return tt.formats(c) }
			}
			out, err := l.goFuzz(t.Context())
			beyond := 0
			for _, b := range out.Beyond {
				beyond += b.Messages
			}
			if err != nil || len(out.Findings) != tt.want || beyond != tt.beyond {
				t.Errorf("Run = %d findings and %d messages beyond them, %v; want %d and %d", len(out.Findings), beyond, err, tt.want, tt.beyond)
			}
			if asked > 1 {
				t.Errorf("the code is read %d times", asked)
			}
		})
	}
}

func TestTooMuchMemoryDoesNotStandForAMeasurement(t *testing.T) {
	const key = "one place"
	type before struct {
		finding.Kind
		verdict
	}
	tests := []struct {
		name   string
		before []before
		kind   finding.Kind
		want   claim
	}{
		{"while it is being proved", []before{{finding.Memory, open}}, finding.Alloc, claimed},
		{"when it is proved", []before{{finding.Memory, counts}}, finding.Alloc, claimed},
		{"unless it is known", []before{{finding.Memory, known}}, finding.Alloc, claimedBefore},
		{"but a measurement does, which is being confirmed", []before{{finding.Memory, counts}, {finding.Alloc, open}}, finding.Alloc, claimedBefore},
		{"and a measurement stands for it", []before{{finding.Alloc, open}}, finding.Memory, claimedBefore},
		{"and it stands for itself", []before{{finding.Memory, counts}}, finding.Memory, claimedBefore},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClaims()
			for _, b := range tt.before {
				f := &finding.Finding{Kind: b.Kind}
				c.add(f, key, claimant{isMutant: true})
				c.verdicts[f] = b.verdict
			}
			// What an oracle reports was confirmed in other processes.
			if _, got := c.claim(&finding.Finding{Kind: tt.kind}, key, claimant{again: true}, maxAtPlace); got != tt.want {
				t.Errorf("claim = %d, want %d", got, tt.want)
			}
		})
	}
}
