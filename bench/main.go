// Command bench measures the speed and the coverage of gnaw and other fuzzers.
//
//	go run ./bench [-workers 2]                 executions per second of gnaw and go test -fuzz
//	go run ./bench -coverage [-go-secs 600]     coverage after a time of gnaw and go test -fuzz
//	go run ./bench -ablate [-techniques a,b]    coverage of gnaw with and without each technique
//	go run ./bench -split [-workers 2]          edges of a campaign over 200 targets, compared with equal shares
//	go run ./bench -peers                       solved puzzles and coverage of gnaw and other fuzzers
//
// Each of these takes [-rounds n] [-secs n] [-targets a,b] [-gomaxprocs n] [-gnaw file] [-json | -markdown].
//
// It builds the targets below bench/targets in a temporary folder, runs the fuzzers in turns with one worker each, and prints
// medians. docs/bench.md describes the columns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := bench(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is the whole program.
func bench(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gnaw-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.Mode == modeSpeed {
		return measureSpeed(ctx, o, dir, stdout, stderr)
	}
	if o.Mode == modeSplit {
		return measureSplit(ctx, o, dir, stdout, stderr)
	}
	return compare(ctx, o, dir, stdout, stderr)
}

// measureSpeed builds, runs and prints in the mode without a name.
func measureSpeed(ctx context.Context, o options, dir string, stdout, stderr io.Writer) error {
	b := &builder{Dir: dir, Gnaw: o.Gnaw, Log: stderr}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	m := &machine{Dir: filepath.Join(dir, "runs"), GnawDir: filepath.Dir(b.Gnaw), MaxProcs: o.MaxProcs, Time: o.time()}
	report := report{Options: o, Go: b.goVersion(ctx)}
	for _, name := range o.Targets {
		t := &target{Name: name}
		if err := b.build(ctx, t); err != nil {
			return err
		}
		report.Targets = append(report.Targets, t)
	}
	for round := range o.Rounds {
		for _, t := range report.Targets {
			fmt.Fprintf(stderr, "round %d of %d: %s\n", round+1, o.Rounds, t.Name)
			result, err := m.round(ctx, t, o.Workers)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			t.Rounds = append(t.Rounds, result)
		}
	}
	return report.print(stdout)
}
