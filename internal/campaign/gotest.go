package campaign

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

const (
	// checkGrace is how long a campaign waits for the checks in plain go test that are left at its end.
	checkGrace = time.Minute
	// checkRepeats is how often a target that fails in plain go test is run again beside fuzzing.
	checkRepeats = 2
)

// checker runs each target of the main modules once with its seeds as plain go test does, beside fuzzing, because a worker does not see what
// fails outside of the fuzz function: after F.Fuzz, in a cleanup, in TestMain, or in several seeds together. It also vets each package, as
// go test does. run is called by one goroutine, and the other methods when it has ended.
type checker struct {
	campaign *Campaign
	// seeds runs a target with its seeds, or without, in the binary that fuzzes or in one without instrumentation.
	seeds func(ctx context.Context, t *target, plain, without bool) (proof.Whole, error)
	seen  map[*target]*checked

	vetted map[string]bool   // packages
	vet    map[string]string // by package: what vet says; no key: nothing
}

// checked is what plain go test shows of a target.
type checked struct {
	given []string    // files in testdata/fuzz before the first run
	done  bool        // what follows is complete
	last  proof.Whole // the last run
	alone bool        // it also fails without seeds
}

func newChecker(c *Campaign) *checker {
	return &checker{campaign: c, seeds: runSeeds, seen: map[*target]*checked{}, vetted: map[string]bool{}, vet: map[string]string{}}
}

// runSeeds runs a target with its seeds.
func runSeeds(ctx context.Context, t *target, plain, without bool) (proof.Whole, error) {
	t.mu.Lock()
	o, err := t.options()
	t.mu.Unlock()
	if err != nil {
		return proof.Whole{}, err
	}
	return proof.GoTest{Config: o.Config, Target: t.Func, Plain: o.Plain}.Seeds(ctx, plain, without)
}

// begin starts the checks. The function that it returns waits for those that are left, for at most checkGrace, and repeats what has failed
// when nothing else runs.
func (k *checker) begin(ctx context.Context) (end func()) {
	wait := beginSweep(func(over <-chan struct{}) {
		visit := func(ctx context.Context, t *target, _ bool) bool { return k.visit(ctx, t) }
		k.campaign.sweep(ctx, over, "runs targets with their seeds in plain go test", checkGrace, visit, waitFor)
	})
	return sync.OnceFunc(func() {
		wait()
		k.repeat(ctx)
	})
}

// visit checks a target whose binary is built, and its package. It reports whether there was something to do.
func (k *checker) visit(ctx context.Context, t *target) bool {
	t.mu.Lock()
	ready := t.compared && t.Outside == nil && t.result != event.Unusable
	t.mu.Unlock()
	if !ready || ctx.Err() != nil {
		return false
	}
	if k.seen[t] == nil {
		k.seen[t] = &checked{given: filesIn(t.seeds())}
	}
	if one := k.seen[t]; !one.done {
		untilBug, cancel := context.WithCancel(ctx)
		defer cancel()
		endAtBug(t, cancel)
		err := k.check(untilBug, t, one)
		if ctx.Err() != nil {
			return false
		}
		one.done = true
		switch {
		case untilBug.Err() != nil: // the target is red, and a seed that hangs would hang here too
			one.last = proof.Whole{}
		case err != nil:
			one.last = proof.Whole{Unknown: err.Error()}
		}
		return true
	}
	if k.vetted[t.Package] {
		return false
	}
	said, err := k.campaign.Builder.Vet(ctx, t.Package)
	if ctx.Err() != nil {
		return false
	}
	k.vetted[t.Package] = true
	if err == nil && said != "" {
		k.vet[t.Package] = said
	}
	return true
}

// endAtBug has end called when a target has a bug; if it has one already, at once.
func endAtBug(t *target, end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onBug = end
	for _, what := range t.findings {
		if what == event.Bug {
			end()
		}
	}
}

// check runs a target with its seeds. If it fails, check runs it again without instrumentation, and without seeds.
func (k *checker) check(ctx context.Context, t *target, one *checked) (err error) {
	if one.last, err = k.seeds(ctx, t, false, false); err != nil || !one.last.Red {
		return err
	}
	first, passed := one.last, 0
	for range checkRepeats {
		if one.last, err = k.seeds(ctx, t, true, false); err != nil || one.last.Unknown != "" {
			return err
		}
		if !one.last.Red {
			passed++
		}
	}
	if passed > 0 {
		k.unsure(t, first, passed)
		one.last = proof.Whole{}
		return nil
	}
	without, err := k.seeds(ctx, t, true, true)
	one.alone = without.Red
	return err
}

// unsure warns of a target that fails in some runs of plain go test only. One that fails only with instrumentation does not fail in go test.
func (k *checker) unsure(t *target, w proof.Whole, passed int) {
	if passed < checkRepeats {
		t.notice(event.Warning, fmt.Sprintf("plain go test of the target fails in some runs and passes in others:\n%s", w.Output))
	}
}

// repeat runs targets that have failed again while none is fuzzed: a target may not be able to run beside itself.
func (k *checker) repeat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, checkGrace)
	defer cancel()
	for _, t := range k.campaign.targets {
		one := k.seen[t]
		if one == nil || !one.done || !one.last.Red {
			continue
		}
		if again, err := k.seeds(ctx, t, true, false); err == nil && !again.Red && again.Unknown == "" {
			t.notice(event.Warning, fmt.Sprintf("plain go test of the target fails while it is fuzzed, and passes alone:\n%s", one.last.Output))
			one.last = again
		}
	}
}

// failure returns why a target fails in plain go test if none of its findings is the reason; empty: it does not. seeds are the names of
// those seeds that are inputs of findings.
func (k *checker) failure(t *target, seeds []string) string {
	one := k.seen[t]
	if one == nil || !one.last.Red {
		return ""
	}
	var given []string // seeds that fail; gnaw wrote other inputs while it fuzzed
	for _, name := range one.last.Failing {
		if strings.HasPrefix(name, "seed#") || slices.Contains(one.given, name) {
			given = append(given, name)
		}
	}
	where := "outside of the fuzz function"
	switch {
	case one.alone:
	case len(one.last.Failing) > 0 && len(given) == 0:
		return ""
	case slices.ContainsFunc(given, func(name string) bool { return slices.Contains(seeds, name) }):
		return ""
	default:
		where = "with its seeds together, but not with a single one"
	}
	return fmt.Sprintf("plain go test fails %s; go test -run='^%s$' %s shows it\n%s", where, t.Func, t.Package, one.last.Output)
}

// missing returns why nothing is known of a target in plain go test; empty: something is, or nobody waits for it.
func (k *checker) missing(ctx context.Context, t *target) string {
	one := k.seen[t]
	switch {
	case one == nil || ctx.Err() != nil:
		return ""
	case !one.done:
		return fmt.Sprintf("its seeds were executed, but plain go test with them did not end within %v behind the campaign", checkGrace)
	case one.last.Unknown != "":
		return "its seeds were executed, but plain go test with them shows nothing: " + one.last.Unknown
	}
	return ""
}

// reportVet records and publishes what vet says, once for each package.
func (k *checker) reportVet() {
	for _, pkg := range slices.Sorted(maps.Keys(k.vet)) {
		text := "plain go test fails because of vet:\n" + k.vet[pkg]
		k.campaign.History.SaveResults([]store.Result{{Target: fuzz.Name{Package: pkg}, Result: string(event.Fails), Reason: text}})
		k.campaign.Events.Publish(event.Notice{What: event.Failing, Subject: event.Subject{Package: pkg}, Text: text})
	}
}

// filesIn returns the names of the files in a folder; nil: it cannot be read.
func filesIn(dir string) (names []string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
