package ci

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Seeds says which seeds to run in plain go test.
type Seeds struct {
	Go      string   // path of the go command
	Environ []string // of go test
	Package string   // import path
	Dir     string   // absolute folder of the package
	Targets []string
	Flags   []string // build flags that plain go test needs
}

// Failing is what plain go test of seeds shows.
type Failing struct {
	Findings []*finding.Finding // one for each seed that fails, with its target. Seed is the path of its file, or the name of a seed of F.Add
	Output   string             // the last lines of go test, if it fails and no seed is the reason; empty otherwise
}

// shown is how many lines of go test a Failing has.
const shown = 20

// Run runs the seeds. The error says that go test could not be run, or is that of ctx.
func (s Seeds) Run(ctx context.Context) (f Failing, err error) {
	c := proof.GoCommand{Go: s.Go, Dir: s.Dir, Env: s.Environ, Record: finding.Record{Flags: s.Flags}, Run: group.RunTests}
	list, output, err := c.Seeds(ctx, s.Targets)
	if err != nil {
		return f, fmt.Errorf("run the seeds of %s: %w", s.Package, err)
	}
	for _, one := range list {
		f.Findings = append(f.Findings, s.complete(one))
	}
	f.Output = report.LastLines(output, shown)
	return f, nil
}

// complete returns the finding of a seed that fails, with its input if that is in a file.
func (s Seeds) complete(one proof.FailedSeed) *finding.Finding {
	f := one.Finding
	f.Target, f.Seed, f.Flags = one.Target, one.Name, s.Flags
	file := filepath.Join(s.Dir, "testdata", "fuzz", one.Target, one.Name)
	text, err := disk.Read(file, disk.MaxInput)
	if err != nil {
		return f
	}
	if args, err := input.Unmarshal(text); err == nil { // otherwise go test could not have run it
		f.Seed, f.Input, f.Original = file, args, args
	}
	return f
}
