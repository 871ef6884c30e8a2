package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// Rounds of TestKilledExchangesLoseNothing, for each place.
const (
	exchangeRounds     = 3
	exchangeRoundsLong = 50
)

// TestKilledExchangesLoseNothing has two machines push new inputs to one place at the same time, and kills one of them. The place must keep
// what it had and get what the other one has, and in the end all of it.
func TestKilledExchangesLoseNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processes of a killed one end with it on Linux only")
	}
	rounds := exchangeRounds
	if *flagLong {
		rounds = exchangeRoundsLong
	}
	w, dir := module(t, "growing")
	bare := filepath.Join(w.dir, "bare")
	testkit.Git(t, w.dir, "init", "--quiet", "--bare", bare)
	for name, place := range map[string]string{
		"a folder": filepath.Join(w.dir, "shared"), "a zip": filepath.Join(w.dir, "shared.zip"), "a branch": "git:" + bare + "#corpus",
	} {
		t.Run(name, func(t *testing.T) {
			x := &exchanging{world: w, dir: dir, place: place, random: rand.New(rand.NewPCG(1, 2)), safe: map[string]bool{}, all: map[string]bool{}}
			x.root = filepath.Join(w.dir, filepath.Base(place)+"-machines")
			for i := range rounds {
				if x.round(t, i); t.Failed() {
					t.Fatalf("in round %d", i)
				}
			}
			for _, machine := range []string{"one", "two"} {
				x.run(t, machine, "push")
			}
			x.safe = x.all
			x.check(t)
			t.Logf("%d rounds, %d killed, %d inputs", rounds, x.killed, len(x.all))
		})
	}
}

// exchanging is the state of TestKilledExchangesLoseNothing.
type exchanging struct {
	*world
	dir, place, root string
	random           *rand.Rand
	killed           int
	safe, all        map[string]bool // inputs that the place must have, and all that a machine has
}

// cacheOf returns the cache of the go command of a machine.
func (x *exchanging) cacheOf(machine string) string { return filepath.Join(x.root, machine) }

// store returns the corpus of a machine.
func (x *exchanging) store(machine string) corpus.Store {
	return corpus.Open(filepath.Join(x.cacheOf(machine), "fuzz", "example.com", "growing", "FuzzGrow"), corpus.GoTest([]input.Kind{input.Bytes}))
}

func (x *exchanging) begin(t *testing.T, machine, action string) *running {
	t.Helper()
	return x.start(t, x.dir, x.environ("GOCACHE="+x.cacheOf(machine)), host.gnaw, "corpus", action, ".", "FuzzGrow", x.place)
}

func (x *exchanging) run(t *testing.T, machine, action string) {
	t.Helper()
	if code, output := x.begin(t, machine, action).wait(t, patience); code != 0 {
		t.Errorf("%s of machine %s exits with %d:\n%s", action, machine, code, output)
	}
}

// round gives both machines new inputs, lets them push, and kills the first one.
func (x *exchanging) round(t *testing.T, i int) {
	t.Helper()
	for _, machine := range []string{"one", "two"} {
		var list []input.Args
		for n := range 20 {
			text := fmt.Sprintf("%s, round %d, %d", machine, i, n)
			x.all[text] = true
			list = append(list, input.Args{{Kind: input.Bytes, Data: []byte(text)}})
		}
		if _, err := x.store(machine).SaveAll(list); err != nil {
			t.Fatal(err)
		}
	}
	victim, other := x.begin(t, "one", "push"), x.begin(t, "two", "push")
	select {
	case <-time.After(time.Duration(x.random.Int64N(int64(80 * time.Millisecond)))):
		if victim.cmd.Process.Kill() == nil {
			x.killed++
		}
	case <-victim.done:
	}
	_, _ = victim.wait(t, patience)
	if code, output := other.wait(t, patience); code != 0 {
		t.Errorf("the other machine exits with %d:\n%s", code, output)
	}
	x.wantNoProcess(t)
	entries, problems, err := x.store("two").Load(t.Context(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	for _, e := range entries {
		x.safe[string(e.Args[0].Data)] = true
	}
	x.check(t)
}

// check pulls, and looks whether the safe inputs are there. What was there stays safe.
func (x *exchanging) check(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(x.cacheOf("reader")); err != nil {
		t.Fatal(err)
	}
	x.run(t, "reader", "pull")
	entries, problems, err := x.store("reader").Load(t.Context(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	found := map[string]bool{}
	for _, e := range entries {
		found[string(e.Args[0].Data)] = true
	}
	for text := range x.safe {
		if !found[text] {
			t.Errorf("the place has lost %q", text)
		}
	}
	x.safe = found
}
