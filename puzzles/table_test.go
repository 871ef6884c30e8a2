package puzzles

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestTable prints one line for each puzzle, as soon as it is known.
func TestTable(t *testing.T) {
	if !*flagTable {
		t.Skip("only with -puzzles.table")
	}
	depend()
	all, err := puzzles("targets")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, "| puzzle | opens | technique | gnaw | without it | go test -fuzz |")
	fmt.Fprintln(os.Stdout, "| --- | --- | --- | --- | --- | --- |")
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			off := strings.ReplaceAll(p.off, ",", ", ")
			if off == "" {
				off = "–"
			}
			fmt.Fprintf(os.Stdout, "| %s | %s | %s | %s |\n", p.name, p.opens, off, strings.Join(cells(t, p), " | "))
		})
	}
}

// cellTime is the time of each run.
const cellTime = "10s"

// cells runs a puzzle with gnaw, without its technique, and with the stock engine. All runs have the same time: a table
// that tells how much longer something takes must not end the longer run early.
func cells(t *testing.T, p puzzle) []string {
	b := build(t, p, host.gnaw)
	with := b.run(t, cellTime, seeds[0])
	without := "–"
	if p.off != "" && (with.solved || p.unit != "") {
		without = p.cell(b.run(t, cellTime, seeds[0], "GNAW_WITHOUT="+p.off))
	}
	return []string{p.cell(with), without, p.cell(build(t, p, "go").run(t, cellTime))}
}

// cell tells a result in a few words.
func (p puzzle) cell(r result) string {
	switch {
	case p.unit != "":
		return fmt.Sprintf("%d %s", r.measured(p.unit), p.unit)
	case r.solved:
		return fmt.Sprintf("%s, %.2f s", count(r.executions), r.time.Seconds())
	}
	return "not in " + count(r.executions)
}

// count shortens a number of executions.
func count(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f M", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%d k", n/1000)
	}
	return fmt.Sprint(n)
}
