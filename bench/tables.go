package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/testkit/stat"
)

// printTable prints rows of cells, of which the first are the heads.
func printTable(w io.Writer, rows [][]string, markdown bool) {
	if markdown {
		for i, row := range rows {
			fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(w, "|---|%s\n", strings.Repeat("---:|", len(row)-1))
			}
		}
		return
	}
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t")+"\t")
	}
	tw.Flush()
}

// conditions is what has to stand above a result.
func (l *lab) conditions(o options) string {
	commit, err := output(context.Background(), "", "git", "rev-parse", "--short", "HEAD")
	if err != nil {
		commit = "unknown"
	}
	procs := ""
	if o.MaxProcs > 0 {
		procs = fmt.Sprintf(", GOMAXPROCS %d", o.MaxProcs)
	}
	return fmt.Sprintf("From %s, commit %s, %s, %s/%s, %d CPUs%s, %d rounds: `go run ./bench %s`", time.Now().Format(time.DateOnly), commit,
		l.builder.goVersion(context.Background()), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), procs, o.Rounds, strings.Join(o.Args, " "))
}

// print writes the result in the form that was asked for. It fails if gnaw has no result for a subject.
func (s *study) print(w io.Writer, o options, conditions string) error {
	if o.JSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "\t")
		if err := e.Encode(map[string]any{"conditions": conditions, "notes": s.notes, "trials": s.trials}); err != nil {
			return err
		}
		return s.lost()
	}
	fmt.Fprintf(w, "%s\n", conditions)
	var tables [][][]string
	switch o.Mode {
	case modeCoverage:
		tables = [][][]string{s.coverageRows()}
	case modeAblate:
		tables = [][][]string{s.ablationRows(o.Techniques)}
	default:
		limit := max(o.time(), time.Duration(o.GoSecs)*time.Second)
		tables = [][][]string{s.puzzleRows(limit), s.peerRows()}
	}
	for _, rows := range tables {
		if len(rows) > 1 {
			fmt.Fprintln(w)
			printTable(w, rows, o.Markdown)
		}
	}
	if o.Mode == modeCoverage {
		fmt.Fprintf(w, "\n%s\n", s.verdict())
	}
	for i, note := range s.notes {
		if i == 0 {
			fmt.Fprintln(w)
		}
		if o.Markdown {
			note = "- " + note
		}
		fmt.Fprintln(w, note)
	}
	return s.lost()
}

// lost is an error that names the subjects on which gnaw has no result.
func (s *study) lost() error {
	var names []string
	for _, t := range s.trials {
		if len(t.Yields[gnawName]) == 0 {
			names = append(names, t.Name)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("no complete round of %s", strings.Join(names, ", "))
	}
	return nil
}

// coverageRows is the table of -coverage.
func (s *study) coverageRows() [][]string {
	rows := [][]string{{"target", "blocks", "seeds", "go test -fuzz", "gnaw", "ratio", "p", "ahead", "go execs", "gnaw execs"}}
	for _, t := range s.trials {
		g, n := t.blocks(goName), t.blocks(gnawName)
		rows = append(rows, []string{
			t.Name, fmt.Sprint(t.Total.Blocks), fmt.Sprint(t.Start.Blocks), whole(stat.Median(g)), whole(stat.Median(n)),
			times(stat.Median(n) / stat.Median(g)), probability(stat.MannWhitney(n, g)), ahead([]string{goName, gnawName}, stat.Median(g), stat.Median(n)),
			count(t.execs(goName)), count(t.execs(gnawName)),
		})
	}
	return rows
}

// verdict sums up -coverage.
func (s *study) verdict() string {
	counts := map[string]int{}
	var ratios []float64
	for _, t := range s.trials {
		g, n := stat.Median(t.blocks(goName)), stat.Median(t.blocks(gnawName))
		counts[ahead([]string{goName, gnawName}, g, n)]++
		if ratio := n / g; !math.IsNaN(ratio) {
			ratios = append(ratios, ratio)
		}
	}
	return fmt.Sprintf("gnaw is ahead on %d targets, go test -fuzz on %d, neither on %d; geometric mean of the ratios %s",
		counts[gnawName], counts[goName], counts["tie"], times(geometricMean(ratios)))
}

// peerRows is the table of the coverage in -peers.
func (s *study) peerRows() [][]string {
	names := s.names()
	rows := [][]string{append(append([]string{"target", "blocks", "seeds"}, names...), "ahead")}
	for _, t := range s.trials {
		if t.Puzzle {
			continue
		}
		row := []string{t.Name, fmt.Sprint(t.Total.Blocks), fmt.Sprint(t.Start.Blocks)}
		var medians []float64
		for _, name := range names {
			m := stat.Median(t.blocks(name))
			medians = append(medians, m)
			row = append(row, whole(m))
		}
		rows = append(rows, append(row, ahead(names, medians...)))
	}
	return rows
}

// puzzleRows is the table of the puzzles in -peers.
func (s *study) puzzleRows(limit time.Duration) [][]string {
	names := s.names()
	rows := [][]string{append([]string{"puzzle"}, names...)}
	for _, t := range s.trials {
		if !t.Puzzle {
			continue
		}
		row := []string{t.Name}
		for _, name := range names {
			row = append(row, solvedCell(t.solved(name), limit))
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *study) names() (names []string) {
	for _, f := range s.fuzzers {
		names = append(names, f.name())
	}
	return names
}

// solvedCell has the median time to a solution, and how many rounds had one.
func solvedCell(times []float64, limit time.Duration) string {
	if len(times) == 0 {
		return unknown
	}
	solved := 0
	for _, v := range times {
		if !math.IsInf(v, 1) {
			solved++
		}
	}
	text := fmt.Sprintf("%.2f s", stat.Median(times))
	if math.IsInf(stat.Median(times), 1) {
		text = fmt.Sprintf("> %.0f s", limit.Seconds())
	}
	return fmt.Sprintf("%s (%d/%d)", text, solved, len(times))
}

// significant is how unlikely a difference must be before a cell of the ablation is marked.
const significant = 0.05

// ablationRows is the table of -ablate: what each technique adds to the blocks that are covered.
func (s *study) ablationRows(techniques []string) [][]string {
	head := []string{"technique", "mean", "helps", "harms"}
	start := []string{"(blocks, at the start)", "", "", ""}
	all := []string{"(blocks, all on)", "", "", ""}
	for _, t := range s.trials {
		head = append(head, t.Name)
		start = append(start, fmt.Sprint(t.Start.Blocks))
		all = append(all, whole(stat.Median(t.blocks(gnawName))))
	}
	rows := [][]string{head, start, all}
	for _, technique := range techniques {
		var cells []string
		var ratios []float64
		helps, harms := 0, 0
		for _, t := range s.trials {
			on, off := t.blocks(gnawName), t.blocks(withoutName(technique))
			ratio := stat.Median(on) / stat.Median(off)
			text := change(ratio)
			if stat.MannWhitney(on, off) < significant {
				text += " *"
				if meanRank(on, off) > 0 {
					helps++
				} else {
					harms++
				}
			}
			if !math.IsNaN(ratio) {
				ratios = append(ratios, ratio)
			}
			cells = append(cells, text)
		}
		rows = append(rows, append([]string{technique, change(geometricMean(ratios)), fmt.Sprint(helps), fmt.Sprint(harms)}, cells...))
	}
	return rows
}

// meanRank is positive if xs are the larger ones by rank: it counts the pairs in which they are, less those in which they
// are not.
func meanRank(xs, ys []float64) (sign int) {
	for _, x := range xs {
		for _, y := range ys {
			switch {
			case x > y:
				sign++
			case x < y:
				sign--
			}
		}
	}
	return sign
}

// ahead is the name with the largest value; NaN stands for none.
func ahead(names []string, values ...float64) string {
	best := math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			best = max(best, v)
		}
	}
	var leaders []string
	for i, v := range values {
		if v == best {
			leaders = append(leaders, names[i])
		}
	}
	switch {
	case len(leaders) == 0 || slices.ContainsFunc(values, math.IsNaN) && len(values) == 2:
		return unknown
	case len(leaders) > 1:
		return "tie"
	}
	return leaders[0]
}

func geometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios))) // NaN of nothing
}

func whole(v float64) string { return cell(v, "%.0f", 1) }

func probability(p float64) string { return cell(p, "%.3f", 1) }

func change(ratio float64) string { return cell(ratio-1, "%+.1f %%", 100) }
