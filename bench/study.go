package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/testkit/stat"
)

// A lab is what every study needs: a copy of the targets, and runs of processes in folders of their own.
type lab struct {
	builder  *builder
	machine  *machine
	replayer *replayer
	log      io.Writer
}

func (l *lab) module() string { return l.builder.module() }

func (l *lab) bin() string { return filepath.Join(l.builder.Dir, "bin") }

// A yield is what one campaign came to.
type yield struct {
	run
	Entries int    `json:"entries"` // size of the corpus, without the seeds if the fuzzer distinguishes them
	Covered tally  `json:"covered"` // by the seeds and the corpus, in the replay
	Lost    int    `json:"lost,omitempty"`
	Notes   string `json:"notes,omitempty"`
}

// A trial is a subject with all that was measured on it.
type trial struct {
	subject
	Total  tally              `json:"total"`  // of the packages that count
	Start  tally              `json:"start"`  // what the seeds and the corpus that runs start from cover
	Yields map[string][]yield `json:"yields"` // by the name of the fuzzer, one for each round that came to something
	seeds  [][]byte
	corpus [][]byte        // that runs start from
	unfit  map[string]bool // fuzzers that can't build the subject
}

// A study fuzzes each subject with each fuzzer, turn by turn, so that a machine that is slower for a while is so for all.
type study struct {
	lab     *lab
	first   fuzzer // makes the corpora that all runs start from; nil: they start from the seeds
	fuzzers []fuzzer
	trials  []*trial
	notes   []string
}

func newStudy(l *lab, fuzzers []fuzzer, list []subject) *study {
	s := &study{lab: l, fuzzers: fuzzers}
	for _, subject := range list {
		s.trials = append(s.trials, &trial{subject: subject, Yields: map[string][]yield{}, unfit: map[string]bool{}})
	}
	return s
}

// note keeps a line for the report.
func (s *study) note(format string, args ...any) {
	line := brief(fmt.Sprintf(format, args...))
	fmt.Fprintln(s.lab.log, line)
	s.notes = append(s.notes, line)
}

// noteLimit bounds a note.
const noteLimit = 400

// brief makes one line of an error that may carry the output of a process.
func brief(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > noteLimit {
		line = append(append(line[:noteLimit/2:noteLimit/2], []rune(" … ")...), line[len(line)-noteLimit/2:]...)
	}
	return string(line)
}

// prepare installs the fuzzers and builds everything. A fuzzer that can't be set up or can't build a subject is noted and
// left out; that the replay does not work is an error.
func (s *study) prepare(ctx context.Context) error {
	s.fuzzers = slices.DeleteFunc(s.fuzzers, func(f fuzzer) bool {
		err := f.setup(ctx)
		if err != nil {
			s.note("skipped: %s: %v", f.name(), err)
		}
		return err != nil
	})
	for _, t := range s.trials {
		fmt.Fprintf(s.lab.log, "build %s\n", t.Name)
		if err := s.prepareTrial(ctx, t); err != nil {
			return fmt.Errorf("prepare %s: %w", t.Name, err)
		}
	}
	return ctx.Err()
}

func (s *study) prepareTrial(ctx context.Context, t *trial) (err error) {
	if err := t.writeHarnesses(s.lab.module()); err != nil {
		return err
	}
	if t.seeds, err = readFiles(filepath.Join(s.lab.module(), filepath.FromSlash(t.dir()), "seeds")); err != nil {
		return err
	}
	if err := s.lab.replayer.build(ctx, t.subject); err != nil {
		return err
	}
	start, _, err := s.replay(ctx, t, nil)
	if err != nil {
		return err
	}
	t.Total, t.Start = start.total(), start.covered()
	for _, f := range s.fuzzers {
		if err := f.build(ctx, t.subject); err != nil {
			t.unfit[f.name()] = true
			s.note("skipped: %s on %s: %v", f.name(), t.Name, err)
		}
	}
	if s.first == nil {
		return nil
	}
	return s.advance(ctx, t)
}

// advance makes the corpus that all runs of a trial start from.
func (s *study) advance(ctx context.Context, t *trial) (err error) {
	if err := s.first.build(ctx, t.subject); err != nil {
		return err
	}
	if _, t.corpus, err = s.first.fuzz(ctx, t.subject, campaign{Seeds: t.seeds}); err != nil {
		return err
	}
	start, _, err := s.replay(ctx, t, t.corpus)
	t.Start = start.covered()
	fmt.Fprintf(s.lab.log, "%s starts at %d blocks\n", t.Name, t.Start.Blocks)
	return err
}

// replay returns what the seeds and the corpus cover.
func (s *study) replay(ctx context.Context, t *trial, corpus [][]byte) (profile, int, error) {
	seeds, err := fromRaw(t.seeds)
	if err != nil {
		return nil, 0, err
	}
	return s.lab.replayer.replay(ctx, t.subject, append(seeds, corpus...))
}

// run does all rounds, or fewer if it is stopped: what was measured until then stays.
func (s *study) run(ctx context.Context, rounds int) error {
	for round := range rounds {
		for i, t := range s.trials {
			for k := range s.fuzzers {
				f := s.fuzzers[(k+i+round)%len(s.fuzzers)] // each of them comes first sometimes
				if t.unfit[f.name()] {
					continue
				}
				y, err := s.campaign(ctx, t, f, round)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					s.note("%s, round %d: %s: %v", t.Name, round+1, f.name(), err)
					continue
				}
				if y.Notes != "" {
					s.note("%s, round %d: %s: %s", t.Name, round+1, f.name(), y.Notes)
				}
				fmt.Fprintf(s.lab.log, "round %d of %d: %s: %s: %d blocks, %s execs\n",
					round+1, rounds, t.Name, f.name(), y.Covered.Blocks, count(float64(y.Execs)))
				t.Yields[f.name()] = append(t.Yields[f.name()], y)
			}
		}
	}
	return nil
}

// campaign runs one fuzzer once and replays what it has kept. A fuzzer that ends badly is noted: its corpus counts.
func (s *study) campaign(ctx context.Context, t *trial, f fuzzer, round int) (y yield, err error) {
	c := campaign{Seeds: t.seeds, Corpus: t.corpus}
	env := ""
	if t.Puzzle {
		c.Solved = filepath.Join(s.lab.builder.Dir, "solved")
		env = c.Solved
		if err := os.Remove(c.Solved); err != nil && !errors.Is(err, os.ErrNotExist) {
			return y, err
		}
	}
	s.lab.machine.Env = []string{"BENCH_SOLVED=" + env}
	result, corpus, err := f.fuzz(ctx, t.subject, c)
	if err != nil {
		y.Notes = "ended early: " + err.Error()
	}
	y.run, y.Entries = result, len(corpus)
	s.lab.machine.Env = nil
	p, lost, err := s.replay(ctx, t, corpus)
	if err != nil {
		return y, err
	}
	if y.Lost = lost; lost > 0 {
		y.Notes += fmt.Sprintf(" %d entries can't be replayed", lost)
	}
	y.Covered = p.covered()
	return y, nil
}

// blocks are the numbers of blocks that a fuzzer has covered, one for each round.
func (t *trial) blocks(name string) (values []float64) {
	for _, y := range t.Yields[name] {
		values = append(values, float64(y.Covered.Blocks))
	}
	return values
}

// execs is the median of the executions.
func (t *trial) execs(name string) float64 {
	var values []float64
	for _, y := range t.Yields[name] {
		values = append(values, float64(y.Execs))
	}
	return stat.Median(values)
}

// solved are the seconds to the solution of each round, +Inf for a round without.
func (t *trial) solved(name string) (values []float64) {
	for _, y := range t.Yields[name] {
		v := y.Solved
		if v == 0 {
			v = math.Inf(1)
		}
		values = append(values, v)
	}
	return values
}
