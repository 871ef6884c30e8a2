package cli

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
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// regressDigits is how much of the ID is in the name of a test: enough for all findings that a package will have.
const regressDigits = 8

// defineRegress returns the flags of `gnaw regress`.
func defineRegress(f *jsonFlag) *flagSet {
	return f.define("regress", "print one object: id, path, test")
}

// regressArgs reads the arguments of `gnaw regress`.
func regressArgs(args []string) (id string, toStdout, asJSON bool, err error) {
	var flag jsonFlag
	args, err = parseMixed(defineRegress(&flag), args)
	asJSON = bool(flag)
	if err != nil {
		return "", false, false, err
	}
	if toStdout = len(args) == 2 && args[1] == "-"; toStdout {
		args = args[:1]
	}
	if toStdout && asJSON {
		return "", false, false, usagef("regress takes -json or -, not both: one says where the test was written, the other prints the test")
	}
	id, err = one("regress", "ID", args)
	return id, toStdout, asJSON, err
}

// runRegress is `gnaw regress`.
func runRegress(ctx context.Context, env Env, args []string) (int, error) {
	id, toStdout, asJSON, err := regressArgs(args)
	if err != nil {
		return 0, err
	}
	s, r, err := picked(ctx, env, id)
	if err != nil {
		return 0, err
	}
	folder := s.module.Abs(r.Folder)
	tc, err := build.FindToolchain(ctx, folder, env.Environ)
	if err != nil {
		return 0, err
	}
	t, err := session.FindTarget(ctx, tc, folder, ".", r.Target, r.Flags)
	if err != nil {
		return 0, asUsage(err)
	}
	o, err := regressOptions(ctx, tc, t, r)
	if err != nil {
		return 0, err
	}
	text, err := regress.Test(o)
	if err != nil {
		return 0, fmt.Errorf("make a test of %s: %w", finding.Short(r.ID, store.IDs(s.all)), err)
	}
	if toStdout {
		_, err := env.Stdout.Write(text)
		return exitcode.OK, err
	}
	path := filepath.Join(folder, o.FileName())
	if err := writeNew(path, text); err != nil {
		return 0, err
	}
	if asJSON {
		return exitcode.OK, writeJSON(env.Stdout, struct {
			ID   string `json:"id"`
			Path string `json:"path"` // absolute
			Test string `json:"test"` // name of the function
		}{r.ID, path, o.TestName()})
	}
	runs := report.Options{Root: s.module.Root, Dir: env.Dir}.GoTest(r, o.TestName())
	fmt.Fprintf(env.Stdout, "wrote %s; `%s` runs it\n", project.Relative(env.Dir, path), runs)
	return exitcode.OK, nil
}

// writeNew writes a file that is not there yet.
func writeNew(path string, text []byte) error {
	err := disk.Create(path, text)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already and is not overwritten; remove it, or print the test with `gnaw regress ID -`", path)
	}
	return err
}

// regressOptions reads what the test is made of.
func regressOptions(ctx context.Context, tc build.Toolchain, t build.Target, r finding.Record) (o regress.Options, err error) {
	source, err := disk.Read(t.File, disk.MaxSource)
	if err != nil {
		return o, fmt.Errorf("read the test file of %s: %w", t.Name, err)
	}
	args, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		return o, fmt.Errorf("read the input in the history: %w", err)
	}
	names := packageNames(ctx, tc, t.Dir, r.Flags)
	return regress.Options{
		File: t.File, Source: source, Target: t.Name, ID: r.ID[:min(regressDigits, len(r.ID))], Args: args,
		Title:       fmt.Sprintf("%s: %s", r.Kind, r.Title()),
		PackageName: func(path string) string { return names[path] },
		Measure:     regressMeasure(r),
	}, nil
}

// packageNames returns the names of the packages that the tests in a folder import, with the build flags of the finding: tags
// may decide which files there are. What the go command does not know is left out.
func packageNames(ctx context.Context, tc build.Toolchain, dir string, flags []string) map[string]string {
	names := map[string]string{}
	args := slices.Concat([]string{"list", "-json=false", "-e", "-deps", "-test", "-f", "{{.ImportPath}} {{.Name}}"}, flags, []string{"."})
	var out strings.Builder
	cmd := exec.Command(tc.Go, args...)
	cmd.Dir, cmd.Env, cmd.Stdout = dir, tc.Environ(), &out
	_ = group.Run(ctx, cmd) // the last element of the path is nearly always right
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 1 { // a package that is built for a test has that in brackets between
			names[f[0]] = f[len(f)-1]
		}
	}
	return names
}
