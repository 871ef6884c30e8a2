package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// A mode is what is measured.
type mode string

// The modes.
const (
	modeSpeed    mode = ""         // executions per second
	modeCoverage mode = "coverage" // blocks covered, against go test -fuzz
	modeAblate   mode = "ablate"   // blocks covered, with and without each technique
	modePeers    mode = "peers"    // puzzles and blocks, against other fuzzers
	modeSplit    mode = "split"    // edges of a campaign over many targets, against equal shares
)

// speedTargets are the folders below bench/targets that the mode without a name runs, in the order of the table.
var speedTargets = []string{"noop", "magic", "json", "flate", "png", "yaml", "args"}

// A modeDefault has what the flags of a mode are if they are not given, and what -targets may name.
type modeDefault struct {
	rounds, secs     int
	targets, choices []string
}

var modeDefaults = map[mode]modeDefault{
	modeSpeed:    {3, 10, speedTargets, speedTargets},
	modeCoverage: {3, 60, namesOf(parsers), namesOf(slices.Concat(parsers, puzzles))},
	modeAblate:   {10, 10, namesOf(parsers), namesOf(slices.Concat(parsers, puzzles))},
	modeSplit:    {1, 400, nil, nil},
	modePeers: {
		3, 30, append(namesOf(puzzles), "json", "xml", "goparser", "url", "png", "yaml"),
		namesOf(slices.Concat(parsers, puzzles)),
	},
}

// options are the flags.
type options struct {
	Mode       mode
	Args       []string // the command line
	Rounds     int
	Secs       int // length of each fuzzing run
	GoSecs     int // likewise for go test -fuzz
	After      int // length of the gnaw run whose corpus all others start from; 0: they start from the seeds
	Targets    []string
	Techniques []string
	MaxProcs   int    // GOMAXPROCS of the fuzzing processes; 0 leaves it alone
	Workers    int    // more than one: gnaw with so many workers against gnaw with one
	Gnaw       string // gnaw binary; "" builds it
	JSON       bool
	Markdown   bool
}

func (o options) time() time.Duration { return time.Duration(o.Secs) * time.Second }

var errUsage = errors.New("wrong usage")

func parseFlags(args []string, stderr io.Writer) (options, error) {
	o := options{Args: args}
	var targets, techniques string
	var coverage, ablate, peers, split bool
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&coverage, "coverage", false, "compare what gnaw and go test -fuzz cover")
	flags.BoolVar(&ablate, "ablate", false, "compare what gnaw covers with what it covers without each technique")
	flags.BoolVar(&peers, "peers", false, "compare gnaw with go test -fuzz, go-fuzz and libFuzzer")
	flags.BoolVar(&split, "split", false, "compare the time split of gnaw fuzz over 200 targets with equal shares")
	flags.IntVar(&o.Rounds, "rounds", 0, "how often each target is run; medians are taken over the rounds (0: 3, or 10 with -ablate, 1 with -split)")
	flags.IntVar(&o.Secs, "secs", 0, "length of each fuzzing run in `seconds` (0: 10, 60 with -coverage, 30 with -peers, 400 with -split)")
	flags.IntVar(&o.GoSecs, "go-secs", 0, "length of the runs of go test -fuzz in `seconds`, with -coverage or -peers (0: as -secs)")
	flags.IntVar(&o.After, "after", 0, "`seconds` of a run of gnaw from whose corpus each run starts, with -ablate (0: from the seeds)")
	flags.StringVar(&targets, "targets", "", "comma-separated `names` of targets; docs/bench.md lists them")
	flags.StringVar(&techniques, "techniques", "", "comma-separated `names` of techniques, with -ablate; empty: all")
	flags.IntVar(&o.MaxProcs, "gomaxprocs", 0, "GOMAXPROCS of the fuzzing processes; 0 leaves it alone")
	flags.IntVar(&o.Workers, "workers", 1, "more than 1: compare gnaw with `n` workers with gnaw with one; with -split, workers of each side")
	flags.StringVar(&o.Gnaw, "gnaw", "", "gnaw `binary`; empty: build ./cmd/gnaw")
	flags.BoolVar(&o.JSON, "json", false, "print every round as JSON")
	flags.BoolVar(&o.Markdown, "markdown", false, "print tables for docs")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return o, err
		}
		return o, fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%w: %q is no flag", errUsage, flags.Arg(0))
	}
	given := 0
	for m, on := range map[mode]bool{modeCoverage: coverage, modeAblate: ablate, modePeers: peers, modeSplit: split} {
		if on {
			o.Mode = m
			given++
		}
	}
	if given > 1 {
		return o, fmt.Errorf("%w: -coverage, -ablate, -peers and -split exclude each other", errUsage)
	}
	return o.withDefaults(targets, techniques)
}

// withDefaults fills in what was not given, and checks what was.
func (o options) withDefaults(targets, techniques string) (options, error) {
	errs := o.misplaced(techniques)
	if o.Rounds < 0 || o.Secs < 0 || o.GoSecs < 0 || o.After < 0 || o.Workers < 1 || o.MaxProcs < 0 {
		errs = append(errs, fmt.Errorf("%w: -workers is at least 1, and no number is negative", errUsage))
	}
	d := modeDefaults[o.Mode]
	o.Rounds = cmp.Or(o.Rounds, d.rounds)
	o.Secs = cmp.Or(o.Secs, d.secs)
	o.GoSecs = cmp.Or(o.GoSecs, o.Secs)
	o.Targets, o.Techniques = d.targets, technique.Names()
	if targets != "" {
		o.Targets = strings.Split(targets, ",")
	}
	if techniques != "" {
		o.Techniques = strings.Split(techniques, ",")
	}
	for _, name := range o.Targets {
		if !slices.Contains(d.choices, name) {
			errs = append(errs, fmt.Errorf("%w: no target %q; there are %s", errUsage, name, strings.Join(d.choices, ", ")))
		}
	}
	if _, err := technique.Parse(techniques); err != nil {
		errs = append(errs, fmt.Errorf("%w: %w", errUsage, err))
	}
	return o, errors.Join(errs...)
}

// misplaced are errors about flags that do not belong together.
func (o options) misplaced(techniques string) (errs []error) {
	if o.JSON && o.Markdown {
		errs = append(errs, fmt.Errorf("%w: -json and -markdown exclude each other", errUsage))
	}
	if o.GoSecs != 0 && o.Mode != modeCoverage && o.Mode != modePeers {
		errs = append(errs, fmt.Errorf("%w: -go-secs goes with -coverage or -peers", errUsage))
	}
	if techniques != "" && o.Mode != modeAblate {
		errs = append(errs, fmt.Errorf("%w: -techniques goes with -ablate", errUsage))
	}
	if o.After != 0 && o.Mode != modeAblate {
		errs = append(errs, fmt.Errorf("%w: -after goes with -ablate", errUsage))
	}
	if o.Workers != 1 && o.Mode != modeSpeed && o.Mode != modeSplit {
		errs = append(errs, fmt.Errorf("%w: -workers goes with none of -coverage, -ablate and -peers", errUsage))
	}
	return errs
}
