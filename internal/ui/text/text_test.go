package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

var some = event.Subject{Package: "example.com/m/p", Folder: "p", Func: "FuzzX"}

// render returns what events are to a person in the folder dir of the module.
func render(dir string, verbose bool, events ...event.Event) (out, errors string) {
	var o, e bytes.Buffer
	r := New(Options{Out: Output{Writer: &o}, Errors: Output{Writer: &e}, Dir: dir, Module: project.Module{Root: "/m", Path: "example.com/m"}, Verbose: verbose})
	for _, one := range events {
		r.Event(event.Stamped{Event: one})
	}
	return o.String(), e.String()
}

var spot = event.Spot{Where: "p.go:3", File: "p/p.go", Line: 3, Function: "example.com/m/p.F"}

func TestEventsAreLines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		event event.Event
		want  string
	}{
		{"a build", event.Build{Package: "example.com/m"}, "building the test binary of example.com/m\n"},
		{"a build with the race detector", event.Build{Package: "example.com/m", Race: true}, "building the test binary of example.com/m with the race detector\n"},
		{"a start without a limit", event.Start{Targets: 2, Workers: 1}, "fuzzing 2 targets with 1 worker: until ^C (set a time with -fuzztime or -each)\n"},
		{"a start with a time", event.Start{Targets: 1, Workers: 2, Seconds: 90}, "fuzzing 1 target with 2 workers: for 1m30s\n"},
		{"a start with a time for each", event.Start{Targets: 1, Workers: 2, Each: 0.5}, "fuzzing 1 target with 2 workers: for 500ms each\n"},
		{"a start with executions", event.Start{Targets: 1, Workers: 2, Execs: 7}, "fuzzing 1 target with 2 workers: 7 executions each\n"},
		{"a start with several limits", event.Start{Targets: 1, Workers: 2, Each: 1, Execs: 5, Quiet: true}, "fuzzing 1 target with 2 workers: for 1s each or 5 executions each or until they are quiet\n"},
		{"a start until it is quiet", event.Start{Targets: 1, Workers: 2, Quiet: true}, "fuzzing 1 target with 2 workers: until they are quiet\n"},
		{"a warning", event.Notice{What: event.Warning, Subject: some, Text: "careful"}, "warning: ./p FuzzX: careful\n"},
		{"a target that cannot be fuzzed", event.Notice{What: event.Aside, Subject: some, Text: "it ends"}, "./p FuzzX cannot be fuzzed: it ends\n"},
		{"one that is skipped", event.Notice{What: event.Skipped, Subject: some, Text: "so"}, "./p FuzzX is skipped: so\n"},
		{"one that is quiet", event.Notice{What: event.Quiet, Subject: some, Text: "so"}, "./p FuzzX is quiet: so\n"},
		{"a smaller input", event.Notice{What: event.Smaller, Subject: some, Text: "so"}, "./p FuzzX: so\n"},
		{"a campaign that goes on", event.Notice{What: event.Resume, Text: "goes on"}, "goes on\n"},
		{"a start until spots are reached", event.Start{Targets: 1, Workers: 2, Spots: 2, Until: true}, "fuzzing 1 target with 2 workers: until 2 spots of -focus are reached\n"},
		{"a notice about spots", event.Notice{What: event.Focus, Text: "so"}, "so\n"},
		{
			"a spot that a seed reaches",
			event.SpotReached{Subject: some, Spot: spot, Literals: []string{"int(1)"}, Path: "seed#0", Given: true, Left: 1},
			"reached: a seed of ./p FuzzX already reaches p/p.go:3 (p.F); 1 spot left\n  input   int(1)\n  file    seed#0\n",
		},
		{
			"a spot that an input of an earlier run reaches",
			event.SpotReached{Subject: some, Spot: spot, Literals: []string{"int(1)"}, Path: "/c/ab", Given: true},
			"reached: an input of ./p FuzzX of an earlier run reaches p/p.go:3 (p.F); no spot of -focus is left\n  input   int(1)\n  file    /c/ab\n",
		},
		{
			"a spot at which an input fails",
			event.SpotReached{Subject: some, Spot: spot, Literals: []string{"int(1)", strings.Repeat("x", 300)}, Finding: true},
			"reached: an input of ./p FuzzX fails at p/p.go:3 (p.F); no spot of -focus is left\n  input   int(1), " + strings.Repeat("x", 192) + "…\n",
		},
		{
			"the end of a spot that is reached",
			event.SpotEnd{Subject: some, Spot: spot, Reached: true, Literals: []string{"int(1)"}},
			"-focus\n  reached      p/p.go:3 (p.F) by ./p FuzzX: int(1)\n",
		},
		{
			"the end of a spot that is not reached",
			event.SpotEnd{Subject: some, Spot: spot, Literals: []string{"int(1)"}, Distance: 2, Met: event.Condition{Text: "n > 3", File: "p/q.go", Line: 7}},
			"-focus\n  not reached  p/p.go:3 (p.F): the nearest input, of ./p FuzzX, is 2 conditions away: int(1)\n               it takes another way at p/q.go:7: n > 3\n",
		},
		{"the end of a spot that nothing came near", event.SpotEnd{Spot: spot}, "-focus\n  not reached  p/p.go:3 (p.F): no input came near\n"},
		{"an entry", event.Entry{Subject: some, Path: "/c/ab", Buckets: 3, Edges: 2}, ""},
		{"an end", event.End{Targets: 3, Buggy: 1, Clean: 2, Busy: 0.994}, "3 targets: 1 with a bug, 0 with a flaky failure, 2 without a failure, 0 skipped, 0 could not be fuzzed; workers busy 99 %\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, errors := render("/m", false, tt.event); out != tt.want || errors != "" {
				t.Errorf("it is %q and the error output %q, want %q", out, errors, tt.want)
			}
		})
	}
}

func TestWhatIsWrongWithPackagesGoesToTheErrorOutput(t *testing.T) {
	out, errors := render("/m", false,
		event.Notice{What: event.Aside, Subject: event.Subject{Package: "example.com/m/q"}, Text: "no Go files"}, event.Notice{What: event.Warning, Text: "no history"})
	if want := "gnaw: load package example.com/m/q: no Go files\ngnaw: no history\n"; errors != want || out != "" {
		t.Errorf("the error output is %q, and the output %q; want %q", errors, out, want)
	}
}

func TestATargetIsNamedAsAPersonWouldTypeIt(t *testing.T) {
	for _, tt := range []struct{ dir, folder, want string }{
		{"/m", "p", "./p"},
		{"/m/p", "p", "."},
		{"/m/q", "p", "/m/p"},
		{"/m", ".", "."},
		{"/m", "/elsewhere/p", "/elsewhere/p"},
	} {
		target := some
		target.Folder = tt.folder
		if out, _ := render(tt.dir, true, event.Entry{Subject: target, Path: "/c/ab"}); !strings.HasPrefix(out, tt.want+" FuzzX: new entry ab: ") {
			t.Errorf("in %s the folder %s is shown as in %q, want %q", tt.dir, tt.folder, out, tt.want)
		}
	}
}

func TestLongTextIsCut(t *testing.T) {
	out, _ := render("/m", false, event.Notice{What: event.Aside, Subject: some, Text: "it ends\n" + strings.Repeat("line\n", 50)})
	if n := strings.Count(out, "\n"); n != maxOutputLines+2 || !strings.Contains(out, "\n…\n") {
		t.Errorf("it has %d lines:\n%s", n, out)
	}
}

func TestStatusLinesBecomeRarer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		elapsed time.Duration
		want    time.Duration
	}{
		{"at the start", 5 * time.Second, 5 * time.Second},
		{"after a minute", time.Minute, 5 * time.Second},
		{"after five minutes", 5 * time.Minute, 25 * time.Second},
		{"after a day", 24 * time.Hour, time.Minute},
	} {
		if got := pause(tt.elapsed); got != tt.want {
			t.Errorf("%s: the next line comes after %v, want %v", tt.name, got, tt.want)
		}
	}
	var events []event.Event
	for s := 5; s <= 1800; s += 5 {
		events = append(events, event.Status{Seconds: float64(s)})
	}
	out, _ := render("/m", false, events...)
	if n := strings.Count(out, "\n"); n < 40 || n > 80 || !strings.Contains(out, "1m0s: ") {
		t.Errorf("there are %d lines for half an hour:\n%s", n, out)
	}
}

// The rate has one definition, so a line shows that of its status, as the other interfaces do.
func TestALineHasTheRateOfItsStatus(t *testing.T) {
	out, _ := render("/m", false, event.Start{Seconds: 10}, event.Status{Seconds: 5, Left: 5, Execs: 1500, Ran: 500, Rate: 120},
		event.Status{Seconds: 10, Execs: 2000, Ran: 1000, Rate: 200, Last: true})
	if !strings.Contains(out, "1500 execs (120/s), ") || !strings.Contains(out, "2000 execs (200/s), ") {
		t.Errorf("the lines are\n%s", out)
	}
}

func TestALineWithoutExecutionsSaysWhatTheWorkersDo(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status event.Status
		want   string
	}{
		{"all check what was found", event.Status{Seconds: 10, Ran: 500, Checking: 2}, "(0/s), 1 edge, 2 entries, 0 findings, 2 workers checking what was found, 5s left\n"},
		{"one fuzzes", event.Status{Seconds: 10, Ran: 1000, Rate: 100, Checking: 1}, "(100/s), 1 edge, 2 entries, 0 findings, 5s left\n"},
		{"an execution takes long", event.Status{Seconds: 10, Ran: 500}, "(0/s), 1 edge, 2 entries, 0 findings, 5s left\n"},
	} {
		var out bytes.Buffer
		r := New(Options{Out: Output{Writer: &out}})
		begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		tt.status.Edges, tt.status.Entries, tt.status.Left = 1, 2, 5
		r.Event(event.Stamped{At: begin, Event: event.Start{Seconds: 15}})
		r.Event(event.Stamped{At: begin.Add(5 * time.Second), Event: event.Status{Seconds: 5, Left: 10, Ran: 500}})
		r.Event(event.Stamped{At: begin.Add(10 * time.Second), Event: tt.status})
		if got := out.String(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: the lines are\n%s\nwant the end %s", tt.name, got, tt.want)
		}
	}
}

func TestNoStatusLineWhenTheTimeIsUp(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status event.Status
		want   bool
	}{
		{"in time", event.Status{Seconds: 30, Left: 30}, true},
		{"nearly at the end", event.Status{Seconds: 59.5, Left: 0.5}, false},
		{"at the end", event.Status{Seconds: 60}, false},
		{"at the end of all", event.Status{Seconds: 60.2, Last: true}, true},
	} {
		out, _ := render("/m", false, event.Start{Seconds: 60}, tt.status)
		if got := strings.Contains(out, "targets started"); got != tt.want {
			t.Errorf("%s: there is a line: %v, want %v", tt.name, got, tt.want)
		}
	}
	if out, _ := render("/m", false, event.Start{}, event.Status{Seconds: 60}); !strings.Contains(out, "1m0s: ") {
		t.Errorf("without a limit it is %q", out)
	}
}

func TestTheTableSaysWhenTheNextEdgeIsExpected(t *testing.T) {
	for _, tt := range []struct {
		seconds float64
		want    string
	}{
		{0, "-"},
		{0.02, "<1s"},
		{0.7, "~1s"},
		{95, "~1m35s"},
	} {
		out, _ := render("/m", false, event.TargetEnd{Subject: some, Turns: 1, Next: tt.seconds})
		lines := strings.Split(out, "\n")
		if !slices.Contains(strings.Fields(lines[1]), tt.want) {
			t.Errorf("%v s: the line is %q, want %q in it", tt.seconds, lines[1], tt.want)
		}
	}
}

func TestTheTableLeavesOutTargetsOfDependenciesThatHadNoTurn(t *testing.T) {
	events := []event.Event{
		event.TargetEnd{Subject: event.Subject{Folder: ".gnaw/deps/d@v1/p", Func: "FuzzLate"}, Result: event.Unreached, Reason: "late"},
		event.TargetEnd{Subject: event.Subject{Folder: ".gnaw/deps/d@v1/p", Func: "FuzzBegun"}, Result: event.Unreached, Reason: "seeds", Turns: 1},
		event.TargetEnd{Subject: some, Result: event.Unreached, Reason: "late"},
		event.End{Targets: 3, Unreached: 3},
	}
	out, _ := render("/m", false, events...)
	if strings.Contains(out, "FuzzLate") || !strings.Contains(out, "FuzzBegun (not reached: seeds)\n") || !strings.Contains(out, "FuzzX (not reached: late)\n") ||
		!strings.Contains(out, "1 target of dependencies had no turn; -v lists them") {
		t.Errorf("the table is\n%s", out)
	}
	if out, _ := render("/m", true, events...); !strings.Contains(out, "FuzzLate (not reached: late)\n") || strings.Contains(out, "had no turn") {
		t.Errorf("with -v the table is\n%s", out)
	}
}

func TestSeedsWithoutAFindingOfTheirOwnAreNamed(t *testing.T) {
	var events []event.Event
	for i := range 7 {
		events = append(events, event.SeedFailed{Subject: some, Seed: fmt.Sprintf("seed#%d", i)})
	}
	other := event.Subject{Folder: "q", Func: "FuzzY"}
	events = append(events, event.SeedFailed{Subject: other, Seed: "testdata/fuzz/FuzzY/mine"},
		event.Finding{Record: finding.Record{Package: some.Package, Target: "FuzzX", Seed: "seed#0"}}, event.End{Targets: 2})
	for _, tt := range []struct {
		verbose bool
		want    string
	}{
		{false, "./p FuzzX: 6 seeds failed without a finding of their own: seed#1, seed#2, seed#3, seed#4, seed#5 and 1 more (-v names all)\n"},
		{true, "./p FuzzX: 6 seeds failed without a finding of their own: seed#1, seed#2, seed#3, seed#4, seed#5, seed#6\n"},
	} {
		out, _ := render("/m", tt.verbose, events...)
		if !strings.Contains(out, tt.want) || !strings.HasSuffix(out, "./q FuzzY: 1 seed failed without a finding of its own: mine\n") {
			t.Errorf("with verbose %v the end is\n%s", tt.verbose, out)
		}
	}
}

func TestTheTableHasOneHead(t *testing.T) {
	out, _ := render("/m", false,
		event.TargetEnd{Subject: some, Result: event.Skip}, event.TargetEnd{Subject: some, Result: event.Unusable},
		event.TargetEnd{Subject: some, Result: event.Unreached, Reason: "the campaign ended before its first turn"}, event.End{Targets: 3, Unreached: 1, Known: 2})
	for _, want := range []string{
		"FuzzX (skipped)\n", "FuzzX (could not be fuzzed)\n", "FuzzX (not reached: the campaign ended before its first turn)\n", "1 not reached: ", "2 with only known bugs (.gnaw/known.toml)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the table is\n%s\nwithout %q", out, want)
		}
	}
	if strings.Count(out, "next edge") != 1 {
		t.Errorf("the table is\n%s\nwant one head", out)
	}
}

func TestAKnownFindingIsOneSentence(t *testing.T) {
	f := event.Finding{Record: finding.Record{ID: "abcd", Kind: finding.Panic, Message: "no", Target: "FuzzX", Replays: 3, Repeats: 3}, Short: "abcd"}
	f.Known = &event.Known{Reason: "old"}
	if out, _ := render("/m", false, f); out != "known abcd  FuzzX  no\n  not to be reported: old\n" {
		t.Errorf("it is %q", out)
	}
	f.Known = &event.Known{Reason: "old", Until: "2025-01-01", Expired: true}
	if out, _ := render("/m", false, f); !strings.HasPrefix(out, "finding abcd  FuzzX  no\n") || !strings.Contains(out, "was not to be reported until 2025-01-01: old") {
		t.Errorf("when its day is over it is %q", out)
	}
}

func TestStatementsAreAColumnOfACampaignThatCountsThem(t *testing.T) {
	reached := event.Reached{Covered: 12, Statements: 340}
	events := []event.Event{
		event.Build{Package: "m/p", Cover: true},
		event.Start{Targets: 1, Workers: 1, Cover: true},
		event.Status{Last: true, Edges: 7, Reached: reached},
		event.TargetEnd{Subject: some, Turns: 1, Edges: 7, Reached: reached},
		event.TargetEnd{Subject: some, Turns: 1, Edges: 8},
	}
	out, _ := render("/m", false, events...)
	for _, want := range []string{
		"building the test binary of m/p with counters for statements\n", ", 12 of 340 statements reached\n", "edges   statements entries",
		"    7       12/340       0", "    8            -       0",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	out, _ = render("/m", false, event.Start{Targets: 1}, event.Status{Last: true}, event.TargetEnd{Subject: some})
	if strings.Contains(out, "statement") {
		t.Errorf("without -cover the output is\n%s", out)
	}
}

func TestTheTableOfSpotsIsShort(t *testing.T) {
	var events []event.Event
	for i := range 3 * maxSpots {
		events = append(events, event.SpotEnd{Subject: some, Spot: spot, Reached: i%3 == 0, Literals: []string{"int(1)"}})
	}
	events = append(events, event.End{})
	for _, verbose := range []bool{false, true} {
		want := map[bool][3]int{false: {maxSpots, maxSpots, 1}, true: {maxSpots, 2 * maxSpots, 0}}[verbose]
		out, _ := render("/m", verbose, events...)
		got := [3]int{
			strings.Count(out, "\n  reached "), strings.Count(out, "\n  not reached "),
			strings.Count(out, "\n  and 0 spots that are reached and 40 that are not; -v lists them\n"),
		}
		if got != want {
			t.Errorf("with -v %v, the table has %v rows of each kind, want %v:\n%s", verbose, got, want, out)
		}
	}
}
