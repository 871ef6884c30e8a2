package ci

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Seeds says which seeds to run in plain go test.
type Seeds struct {
	Go      string   // path of the go command
	Environ []string // of go test
	Module  project.Module
	Package string // import path
	Dir     string // absolute folder of the package
	Targets []string
	Flags   []string // build flags that plain go test needs
}

// Failing is what plain go test of seeds shows.
type Failing struct {
	Records []finding.Record // one for each seed that fails
	Output  string           // the last lines of go test, if it fails and no seed is the reason; empty otherwise
}

// shown is how many lines of go test a Failing has.
const shown = 20

// Run runs the seeds. The error says that go test could not be run, or is that of ctx.
func (s Seeds) Run(ctx context.Context) (f Failing, err error) {
	c := proof.GoCommand{Go: s.Go, Dir: s.Dir, Env: s.Environ, Record: finding.Record{Flags: s.Flags}, Root: s.Module.Root, Run: group.RunTests}
	list, output, err := c.Seeds(ctx, s.Targets)
	if err != nil {
		return f, fmt.Errorf("run the seeds of %s: %w", s.Package, err)
	}
	for _, one := range list {
		f.Records = append(f.Records, s.record(one))
	}
	f.Output = report.LastLines(output, shown)
	return f, nil
}

// record describes a seed that fails.
func (s Seeds) record(one proof.FailedSeed) finding.Record {
	f := one.Finding
	r := finding.Record{
		ID: finding.ID(finding.Key(f.Kind, one.Target, f.At, f.Message)), Kind: f.Kind, Message: f.Message, Place: f.Place, Calls: f.At, Output: f.Output,
		Package: s.Package, Folder: filepath.ToSlash(project.Relative(s.Module.Root, s.Dir)), Target: one.Target, Seed: one.Name, Flags: s.Flags,
	}
	file := filepath.Join(s.Dir, "testdata", "fuzz", one.Target, one.Name)
	if text, err := disk.Read(file, disk.MaxInput); err == nil {
		r.Seed, r.Input, r.Path = "", string(text), path.Join(r.Folder, "testdata/fuzz", one.Target, one.Name)
	}
	return r
}
