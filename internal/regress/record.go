package regress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// digits is how much of the ID of a finding is in the name of its test: enough for all findings of a package.
const digits = 8

// Result is the test of a finding.
type Result struct {
	Path string // absolute path of the file for it
	Text []byte // content of the file
	Name string // of the function
}

// Of makes a test of a finding. folder is the absolute folder of its package. The error says if the package does not have the target any
// more, or what of the target cannot stand in a test.
func Of(ctx context.Context, folder string, r finding.Record, environ []string) (Result, error) {
	tc, err := gocommand.FindToolchain(ctx, folder, environ)
	if err != nil {
		return Result{}, err
	}
	t, err := session.FindTarget(ctx, tc, folder, ".", r.Target, r.Flags)
	if err != nil {
		return Result{}, err
	}
	source, err := disk.Read(t.File, disk.MaxSource)
	if err != nil {
		return Result{}, fmt.Errorf("read the test file of %s: %w", t.Func, err)
	}
	o, err := optionsOf(r, t.File, source, packageNames(ctx, tc, t.Dir, r.Flags))
	if err != nil {
		return Result{}, err
	}
	text, err := Test(o)
	if err != nil {
		return Result{}, fmt.Errorf("make a test of %s: %w", o.ID, err)
	}
	return Result{filepath.Join(folder, o.FileName()), text, o.TestName()}, nil
}

// Write writes the file of the test. The error is a *usage.Error if there is such a file.
func (r Result) Write() error {
	err := disk.Create(r.Path, r.Text)
	if errors.Is(err, fs.ErrExist) {
		return usage.Errorf("%s is there already and is not overwritten; remove it, or print the test with `gnaw regress ID -`", r.Path)
	}
	return err
}

// optionsOf returns what the test of a finding is made of. names has the names of packages by their paths.
func optionsOf(r finding.Record, file string, source []byte, names map[string]string) (Options, error) {
	if r.Kind.Measured() && !r.HasMeasure() {
		return Options{}, fmt.Errorf("the history does not say what was measured for %s; find it again with `gnaw fuzz`", r.ID[:min(digits, len(r.ID))])
	}
	args, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		return Options{}, fmt.Errorf("read the input in the history: %w", err)
	}
	return Options{
		File: file, Source: source, Target: r.Target, ID: r.ID[:min(digits, len(r.ID))], Args: args,
		Title:       fmt.Sprintf("%s: %s", r.Kind, r.Title()),
		PackageName: func(path string) string { return names[path] },
		Measure:     measureOf(r),
	}, nil
}

// measureOf returns what a test of a finding has to measure; nil if plain go test fails.
func measureOf(r finding.Record) *Measure {
	if r.Measure == nil {
		return nil
	}
	p := r.Measure.Piece
	m := &Measure{
		Kind: r.Kind.String(), Limit: r.Measure.Limit,
		Arg: p.Arg, From: p.From, To: p.To, CloseFrom: p.CloseFrom, CloseTo: p.CloseTo,
	}
	if c := r.Measure.Cost; c != nil {
		m.Copies, m.Power = c.Copies, c.Power
	}
	return m
}

// packageNames returns the names of the packages that the tests in a folder import, with the build flags of the finding, which may have
// tags. Packages that the go command cannot load are missing.
func packageNames(ctx context.Context, tc gocommand.Toolchain, dir string, flags []string) map[string]string {
	names := map[string]string{}
	args := slices.Concat([]string{"list", "-json=false", "-e", "-deps", "-test", "-f", "{{.ImportPath}} {{.Name}}"}, flags, []string{"."})
	var out strings.Builder
	cmd := exec.Command(tc.Go, args...)
	cmd.Dir, cmd.Env, cmd.Stdout = dir, tc.Environ(), &out
	_ = group.Run(ctx, cmd) // without a name, the last element of the path is right for most packages
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 1 { // the path of a package that is built for a test is followed by the test in brackets
			names[f[0]] = f[len(f)-1]
		}
	}
	return names
}
