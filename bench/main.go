// Command bench measures gnaw against `go test -fuzz` on this machine.
//
//	go run ./bench [-rounds n] [-secs n] [-targets a,b] [-gomaxprocs n] [-workers 2] [-json | -markdown]
//
// It builds the targets below bench/targets with both, runs the two turn by turn with one worker each, reads their
// progress lines, and prints medians. docs/bench.md says what the columns mean.
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
	"slices"
	"strings"
	"time"
)

// targetNames are the folders below bench/targets, in the order of the table.
var targetNames = []string{"noop", "magic", "json", "flate", "png", "yaml", "args"}

// options are the flags.
type options struct {
	Rounds   int
	Secs     int // length of each fuzzing run
	Targets  []string
	MaxProcs int    // GOMAXPROCS of the fuzzing processes; 0 leaves it alone
	Workers  int    // more than one: gnaw with so many workers against gnaw with one
	Gnaw     string // gnaw binary; "" builds it
	JSON     bool
	Markdown bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
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

var errUsage = errors.New("wrong usage")

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	var targets string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.Rounds, "rounds", 3, "how often each target is run; medians are taken over the rounds")
	flags.IntVar(&o.Secs, "secs", 10, "length of each fuzzing run in `seconds`")
	flags.StringVar(&targets, "targets", strings.Join(targetNames, ","), "comma-separated `names` of targets")
	flags.IntVar(&o.MaxProcs, "gomaxprocs", 0, "GOMAXPROCS of the fuzzing processes; 0 leaves it alone")
	flags.IntVar(&o.Workers, "workers", 1, "more than 1: compare gnaw with `n` workers with gnaw with one")
	flags.StringVar(&o.Gnaw, "gnaw", "", "gnaw `binary`; empty: build ./cmd/gnaw")
	flags.BoolVar(&o.JSON, "json", false, "print every round as JSON")
	flags.BoolVar(&o.Markdown, "markdown", false, "print the table for docs/bench.md")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, fmt.Errorf("%w: %w", errUsage, err)
	}
	o.Targets = strings.Split(targets, ",")
	return o, errors.Join(o.validate()...)
}

func (o options) validate() (errs []error) {
	for _, name := range o.Targets {
		if !slices.Contains(targetNames, name) {
			errs = append(errs, fmt.Errorf("%w: no target %q; there are %s", errUsage, name, strings.Join(targetNames, ", ")))
		}
	}
	if o.Rounds < 1 || o.Secs < 1 || o.Workers < 1 || o.MaxProcs < 0 {
		errs = append(errs, fmt.Errorf("%w: -rounds, -secs and -workers are at least 1, -gomaxprocs at least 0", errUsage))
	}
	if o.JSON && o.Markdown {
		errs = append(errs, fmt.Errorf("%w: -json and -markdown exclude each other", errUsage))
	}
	return errs
}

// bench is the whole program: build, run, print.
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
	b := &builder{Dir: dir, Gnaw: o.Gnaw, Log: stderr}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	m := &machine{Dir: filepath.Join(dir, "runs"), GnawDir: filepath.Dir(b.Gnaw), MaxProcs: o.MaxProcs, Time: time.Duration(o.Secs) * time.Second}
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
