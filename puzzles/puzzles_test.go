// Package puzzles tests each technique of the engine: gnaw has to solve a small target with the technique, and must not solve it
// without the technique.
//
// The puzzles are the packages of the module in targets. The package comment of each names the technique; docs/puzzles.md lists
// the puzzles and describes the flags.
//
//	go test ./puzzles                                    a few, in seconds
//	go test ./puzzles -puzzles.all -timeout=1h           all of them
//	go test ./puzzles -puzzles.table -timeout=2h -v      the table of docs/puzzles.md
//	go test ./puzzles -puzzles.all -run=/^maze12$ -v     one of them
package puzzles

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

var (
	flagAll   = flag.Bool("puzzles.all", false, "all puzzles, not only the quick ones")
	flagTable = flag.Bool("puzzles.table", false, "print a table of all puzzles, with go test -fuzz")
	flagGnaw  = flag.String("puzzles.gnaw", "", "path of the gnaw `binary` to test; empty: one is built from ./cmd/gnaw")
)

// quick are the puzzles that run by default: each takes a few thousand executions, and they need little to be built.
var quick = []string{"loop5", "magic12", "typedints"}

// seeds are those that a puzzle must be solved with.
var seeds = []string{"GNAW_SEED=1", "GNAW_SEED=2"}

// budget is the executions to solve a puzzle in. A slow machine must not make it harder.
const budget = "20000000x"

// host is what the tests find on this machine, and what TestMain made.
var host struct {
	gnaw    string // the command under test
	targets string // copy of the module with the puzzles: what is found is written there
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(prepared(m.Run))
}

// prepared builds gnaw, copies the puzzles and runs the tests.
//
// The directory has a name as the go command gives to its temporary ones. That keeps gnaw from writing its path into the
// sources it injects, so the go command's cache serves every run of these tests.
func prepared(run func() int) int {
	dir, err := os.MkdirTemp("", "go-build-gnaw-puzzles-")
	if err == nil {
		defer os.RemoveAll(dir)
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "puzzles:", err)
		return 1
	}
	host.gnaw, host.targets = *flagGnaw, filepath.Join(dir, "targets")
	err = os.CopyFS(host.targets, os.DirFS("targets"))
	if host.gnaw == "" {
		host.gnaw = filepath.Join(dir, "gnaw")
		err = errors.Join(err, testkit.BuildGnaw(host.gnaw))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "puzzles:", err)
		return 1
	}
	return run()
}

// depend makes the result of each test depend on all files that gnaw is built from.
var depend = sync.OnceFunc(func() { testkit.Depend("..") })

func TestEachPuzzleTakesItsTechnique(t *testing.T) {
	if *flagTable {
		t.Skip("the table is made instead")
	}
	depend()
	all, err := puzzles("targets")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if !*flagAll && !slices.Contains(quick, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.unit != "" {
				checkMeasure(t, p)
			} else {
				checkSolved(t, p)
			}
		})
	}
}

// checkSolved lets each seed solve the puzzle, and then fail to do so without the technique.
func checkSolved(t *testing.T, p puzzle) {
	b := build(t, p, host.gnaw)
	for _, seed := range seeds {
		with := b.run(t, budget, seed)
		if !with.solved {
			t.Errorf("%s: not solved in %d executions", seed, with.executions)
			continue
		}
		t.Logf("%s: solved in %d executions, %.2f s", seed, with.executions, with.time.Seconds())
		if p.off == "" {
			continue
		}
		without := b.run(t, tenfold(with.executions), seed, "GNAW_WITHOUT="+p.off)
		if without.solved {
			t.Errorf("%s: solved without %s too, in %d executions", seed, p.off, without.executions)
		}
	}
}

// checkMeasure compares what is measured with its limit.
func checkMeasure(t *testing.T, p puzzle) {
	b := build(t, p, host.gnaw)
	for _, seed := range seeds {
		with := b.run(t, measureTime, seed).measured(p.unit)
		without := b.run(t, measureTime, seed, "GNAW_WITHOUT="+p.off).measured(p.unit)
		t.Logf("%s: %d %s; without %s: %d", seed, with, p.unit, p.off, without)
		if with > p.limit || without <= p.limit {
			t.Errorf("%s: the limit of %d %s is not between the two", seed, p.limit, p.unit)
		}
	}
}

// measureTime is how long a puzzle runs in which something is measured.
const measureTime = "200000x"

// tenfold is the budget of a run that must not solve a puzzle: ten times the executions that it took with the technique,
// and not so few that they prove nothing, nor so many that they take minutes. Executions, because a slow machine must
// not make it easier.
func tenfold(executions int) string {
	return fmt.Sprintf("%dx", min(max(10*executions, 100_000), 10_000_000))
}
