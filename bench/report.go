package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/testkit/stat"
)

// A report is everything measured, and prints it.
type report struct {
	Options options
	Go      string // version
	Targets []*target
}

// A summary has the medians over the rounds of one target; what was never measured is NaN.
type summary struct {
	Go, Gnaw, Many, Limit float64 // executions per second
	Ratio                 float64 // gnaw to go, median of the ratios of each round
	Share                 float64 // gnaw, while a sample was taken, to the limit with that sample, likewise
	Scale                 float64 // many workers to one, likewise
	GoStalled             float64 // seconds of a run without executions
	GnawStalled           float64
}

// summarizeRounds compares within each round, because the machine may be faster in one than in another, and only then
// takes the medians.
func summarizeRounds(rounds []round) summary {
	var s summary
	over := func(f func(r round) float64) float64 {
		var values []float64
		for _, r := range rounds {
			if v := f(r); !math.IsNaN(v) && !math.IsInf(v, 0) {
				values = append(values, v)
			}
		}
		return stat.Median(values)
	}
	s.Go = over(func(r round) float64 { return rate(r.Go) })
	s.Gnaw = over(func(r round) float64 { return rate(r.Gnaw) })
	s.Many = over(func(r round) float64 { return rate(r.Many) })
	s.Limit = over(func(r round) float64 { return limitOf(r) })
	s.Ratio = over(func(r round) float64 { return rate(r.Gnaw) / rate(r.Go) })
	s.Share = over(func(r round) float64 { return rate(r.Sampled) / limitOf(r) })
	s.Scale = over(func(r round) float64 { return rate(r.Many) / rate(r.Gnaw) })
	s.GoStalled = over(func(r round) float64 { return stalled(r.Go) })
	s.GnawStalled = over(func(r round) float64 { return stalled(r.Gnaw) })
	return s
}

func rate(r *run) float64 {
	if r == nil {
		return math.NaN()
	}
	return r.Rate
}

func stalled(r *run) float64 {
	if r == nil {
		return math.NaN()
	}
	return r.Stalled
}

func limitOf(r round) float64 {
	if r.Limit == 0 {
		return math.NaN()
	}
	return r.Limit
}

// print writes the report in the form that was asked for. That a side failed in every round is an error.
func (r report) print(w io.Writer) error {
	switch {
	case r.Options.JSON:
		if err := r.printJSON(w); err != nil {
			return err
		}
	case r.Options.Markdown:
		fmt.Fprintf(w, "%s\n\n", r.conditions())
		printTable(w, r.rows(), true)
	default:
		fmt.Fprintln(w, r.conditions())
		printTable(w, r.rows(), false)
	}
	return r.failures(w)
}

// conditions is a line on what was run where.
func (r report) conditions() string {
	procs := "as is"
	if r.Options.MaxProcs > 0 {
		procs = fmt.Sprint(r.Options.MaxProcs)
	}
	return fmt.Sprintf("%s, %s/%s, %d CPUs, GOMAXPROCS %s; medians of %d × %d s.",
		r.Go, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), procs, r.Options.Rounds, r.Options.Secs)
}

// rows are the heads and the cells of the table.
func (r report) rows() [][]string {
	rows := [][]string{{"target", "go test -fuzz /s", "gnaw /s", "ratio", "limit /s", "share", "go stalled", "gnaw stalled"}}
	if r.Options.Workers > 1 {
		rows = [][]string{{"target", "1 worker /s", fmt.Sprintf("%d workers /s", r.Options.Workers), "ratio"}}
	}
	for _, t := range r.Targets {
		s := summarizeRounds(t.Rounds)
		if r.Options.Workers > 1 {
			rows = append(rows, []string{t.Name, count(s.Gnaw), count(s.Many), times(s.Scale)})
			continue
		}
		rows = append(rows, []string{
			t.Name, count(s.Go), count(s.Gnaw), times(s.Ratio), count(s.Limit), percent(s.Share),
			seconds(s.GoStalled), seconds(s.GnawStalled),
		})
	}
	return rows
}

func (r report) printJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(map[string]any{
		"go": r.Go, "goos": runtime.GOOS, "goarch": runtime.GOARCH, "cpus": runtime.NumCPU(), "gomaxprocs": r.Options.MaxProcs,
		"secs": r.Options.Secs, "workers": r.Options.Workers, "targets": r.Targets,
	})
}

// failures prints what went wrong below the table, and fails if a target has no result at all.
func (r report) failures(w io.Writer) error {
	var lost []string
	for _, t := range r.Targets {
		ok := false
		for i, result := range t.Rounds {
			if result.Notes != "" && !r.Options.JSON {
				fmt.Fprintf(w, "%s, round %d: %s\n", t.Name, i+1, result.Notes)
			}
			ok = ok || result.Notes == ""
		}
		if !ok {
			lost = append(lost, t.Name)
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("no complete round of %s", strings.Join(lost, ", "))
	}
	return nil
}

// unknown stands in a cell for what was not measured.
const unknown = "–"

func count(v float64) string {
	switch {
	case math.IsNaN(v):
		return unknown
	case v >= 1e6:
		return fmt.Sprintf("%.2f M", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.0f k", v/1e3)
	case v >= 1e3:
		return fmt.Sprintf("%.1f k", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}

func times(v float64) string { return cell(v, "%.2f×", 1) }

func percent(v float64) string { return cell(v, "%.0f %%", 100) }

func seconds(v float64) string { return cell(v, "%.0f s", 1) }

func cell(v float64, form string, factor float64) string {
	if math.IsNaN(v) {
		return unknown
	}
	return fmt.Sprintf(form, v*factor)
}
