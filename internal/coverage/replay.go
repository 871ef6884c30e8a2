// Package coverage finds the blocks of statements that the inputs of fuzz targets reach.
//
// [Replay] executes the inputs of a target in a test binary that was built with -cover, and keeps in a [Replayed] which blocks each of them
// reaches. [Merge] joins what the inputs of several targets reach, with the smallest input for each block. Statements are those that
// go test -cover counts: the compiler writes the same table of blocks into the binary for both.
package coverage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Task says whose inputs are executed.
type Task struct {
	fuzz.Name
	Folders Folders
	// Conditions has the limits and the arguments of the process, in any form. Replay uses results in the store only if they are of the same
	// binary and the same Conditions.
	Conditions string
}

// Folders are where the inputs of a target are. They need not exist.
type Folders struct {
	Seeds  string // in testdata/fuzz
	Corpus string // in the cache of the go command
}

// Entry is an input with what it reaches.
type Entry struct {
	Name   string    // of its file; seed#<n> for an input of F.Add
	Seed   bool      // of F.Add or testdata/fuzz
	Came   time.Time // when the file of an entry of the corpus was written; zero for seeds
	Args   input.Args
	Size   int    // bytes of its arguments
	Failed string // how it fails: a kind of a finding, or [Killed]; empty: it passes
	Lost   bool   // the process was killed, and the blocks that the input reaches are not known
	Blocks Set    // indexes in Replayed.Blocks
	Counts Counts // how often each of Blocks was executed

	Refused string   // what it was refused to do outside of its process, as the rest of a sentence; empty: nothing
	Actions [][]byte // of a seed: what it did outside of its process, in the form of [wire.Ran]
}

// Killed is the value of [Entry.Failed] if neither the target nor gnaw ended the process, but, for example, the system, which had no memory
// left.
const Killed = "killed"

// Replayed is what the inputs of a target reach.
type Replayed struct {
	Target   fuzz.Name
	Blocks   []Block // of the binary
	Entries  []Entry // the smallest first
	Around   Set     // reached by code around inputs: initialization, TestMain, and the function of the target
	Executed int     // entries that were executed now; what the others reach was known
	Problems []error // files that cannot be read
}

// Replay executes the seeds and the corpus of a target. It does not execute inputs whose results the store has for this binary and
// Task.Conditions. It saves the results of the others, also if ctx ends. Replay calls progress before each execution, with the number of
// inputs that are done; progress may be nil. The error is about gnaw or the machine, never about an input that fails, hangs or ends its
// process. The caller closes the process.
func Replay(ctx context.Context, p Process, t Task, s Store, progress func(done, total int)) (*Replayed, error) {
	r := &replay{counter: counter{Process: p}, Replayed: Replayed{Target: t.Name}, task: t, store: s, progress: progress}
	if err := r.begin(ctx); err != nil {
		return nil, err
	}
	hello := p.Hello()
	r.binary = digest(hello.Binary[:], []byte(t.Conditions), []byte(savedForm))
	r.Blocks = r.code.blocks
	if err := r.load(ctx, hello); err != nil {
		return nil, err
	}
	known, err := r.known(ctx)
	if err != nil {
		return nil, err
	}
	err = r.run(ctx, known)
	if r.Executed > 0 {
		err = errors.Join(err, r.save(context.WithoutCancel(ctx)))
	}
	if err != nil {
		return nil, err
	}
	if err := r.end(ctx); err != nil {
		return nil, err
	}
	r.Around = r.around
	return &r.Replayed, nil
}

// replay is a call of Replay.
type replay struct {
	counter
	Replayed
	task     Task
	store    Store
	binary   string // digest of the binary and Task.Conditions
	progress func(done, total int)
	done     []bool // by index of an entry; true: its result is saved
}

// load reads the inputs. Of equal ones, the first is kept: that of F.Add, of testdata/fuzz, of the corpus.
func (r *replay) load(ctx context.Context, hello wire.Hello) error {
	var all []Entry
	for i, packed := range hello.Seeds {
		a, _, err := input.Decode(packed, hello.Kinds)
		if err != nil {
			return fmt.Errorf("read an input of F.Add: %w", err)
		}
		all = append(all, Entry{Name: fmt.Sprintf("seed#%d", i), Seed: true, Args: a})
	}
	for _, dir := range []string{r.task.Folders.Seeds, r.task.Folders.Corpus} {
		list, problems, err := corpus.Open(dir, corpus.GoTest(hello.Kinds)).Load(ctx, nil)
		if err != nil {
			return err
		}
		for _, e := range list {
			one := Entry{Name: e.Name, Seed: dir == r.task.Folders.Seeds, Args: e.Args}
			if info, err := os.Stat(e.Path); err == nil && !one.Seed { // an error means that the file was removed after Load read it
				one.Came = info.ModTime()
			}
			all = append(all, one)
		}
		r.Problems = append(r.Problems, problems...)
	}
	seen := map[key]bool{}
	for _, e := range all {
		if k := keyOf(e.Args); !seen[k] {
			seen[k] = true
			e.Size = e.Args.Size()
			r.Entries = append(r.Entries, e)
		}
	}
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(a.Size, b.Size) })
	return nil
}

// run executes the entries that are not in known, and copies the results of the others. Seeds come first, because what they do outside of their
// process is allowed for the other entries.
func (r *replay) run(ctx context.Context, known map[key]saved) error {
	r.done = make([]bool, len(r.Entries))
	done := 0
	for _, seeds := range []bool{true, false} {
		for i := range r.Entries {
			if r.Entries[i].Seed != seeds {
				continue
			}
			if r.progress != nil {
				r.progress(done, len(r.Entries))
			}
			done++
			if err := r.runEntry(ctx, i, known); err != nil {
				return fmt.Errorf("execute %s of %s: %w", r.Entries[i].Name, r.Target.Func, err)
			}
		}
	}
	return nil
}

// runEntry executes the entry with an index, or copies its result.
func (r *replay) runEntry(ctx context.Context, i int, known map[key]saved) error {
	e := &r.Entries[i]
	if k, ok := known[keyOf(e.Args)]; ok && k.Seed == e.Seed {
		e.Failed, e.Lost, e.Blocks, e.Counts, e.Refused, e.Actions = k.Failed, k.Lost, k.Blocks, k.Counts, k.Refused, k.Actions
		r.Allow(e.Actions)
		r.done[i] = true
		return nil
	}
	got, err := r.execute(ctx, e.Args, e.Seed)
	if err != nil {
		return err
	}
	e.Failed, e.Lost, e.Blocks, e.Counts, e.Refused, e.Actions = got.failed, got.lost, got.blocks, got.counts, got.refused, got.actions
	r.done[i] = e.Failed != Killed // the system may not kill it next time
	r.Executed++
	return nil
}

// Allowed returns what the seeds did outside of their processes, in the form of [wire.Ran].
func (r *Replayed) Allowed() (list [][]byte) {
	for _, e := range r.Entries {
		list = append(list, e.Actions...)
	}
	return list
}

// Refused returns what an input was refused to do outside of its process; empty: no input was.
func (r *Replayed) Refused() string {
	for _, e := range r.Entries {
		if e.Refused != "" {
			return e.Refused
		}
	}
	return ""
}

// FoldersOf returns the folders of the inputs of a target. home is the folder of its package, and cache that of the package in the cache of
// the go command.
func FoldersOf(home, cache, target string) Folders {
	return Folders{Seeds: filepath.Join(home, "testdata", "fuzz", target), Corpus: filepath.Join(cache, target)}
}
