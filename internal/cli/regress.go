package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
)

// regressDigits is how much of the ID is in the name of a test: enough for all findings that a package will have.
const regressDigits = 8

// runRegress is `gnaw regress`.
func runRegress(ctx context.Context, env Env, args []string) (int, error) {
	fs := flag.NewFlagSet("regress", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "")
	args, err := parseMixed(fs, args)
	if err != nil {
		return 0, err
	}
	toStdout := len(args) == 2 && args[1] == "-"
	if toStdout {
		args = args[:1]
	}
	id, err := one("regress", "ID", args)
	if err != nil {
		return 0, err
	}
	s, r, err := pick(ctx, env, id)
	if err != nil {
		return 0, err
	}
	s.close()
	folder := s.project.abs(r.Folder)
	tc, err := build.FindToolchain(ctx, folder, env.Environ)
	if err != nil {
		return 0, err
	}
	t, err := findTarget(ctx, tc, folder, ".", r.Target, r.Flags)
	if err != nil {
		return 0, err
	}
	o, err := regressOptions(ctx, tc, t, r)
	if err != nil {
		return 0, err
	}
	text, err := regress.Test(o)
	if err != nil {
		return 0, fmt.Errorf("make a test of %s: %w", finding.Short(r.ID, ids(s.all)), err)
	}
	if toStdout {
		_, err := env.Stdout.Write(text)
		return ExitOK, err
	}
	path := filepath.Join(folder, o.FileName())
	if err := writeNew(path, text); err != nil {
		return 0, err
	}
	if *asJSON {
		return ExitOK, writeJSON(env.Stdout, struct {
			ID   string `json:"id"`
			Path string `json:"path"` // absolute
			Test string `json:"test"` // name of the function
		}{r.ID, path, o.TestName()})
	}
	fmt.Fprintf(env.Stdout, "wrote %s; `go test -run=%s` runs it\n", relativeTo(env.Dir, path), o.TestName())
	return ExitOK, nil
}

// writeNew writes a file that is not there yet.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already and is not overwritten; remove it, or print the test with `gnaw regress ID -`", path)
	}
	if err == nil {
		_, err = f.Write(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("write the test: %w", err)
	}
	return nil
}

// regressOptions reads what the test is made of.
func regressOptions(ctx context.Context, tc build.Toolchain, t build.Target, r finding.Record) (o regress.Options, err error) {
	source, err := os.ReadFile(t.File)
	if err != nil {
		return o, fmt.Errorf("read the test file of %s: %w", t.Name, err)
	}
	args, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		return o, fmt.Errorf("read the input in the history: %w", err)
	}
	names := packageNames(ctx, tc, t.Dir)
	return regress.Options{
		File: t.File, Source: source, Target: t.Name, ID: r.ID[:min(regressDigits, len(r.ID))], Args: args,
		Title:       fmt.Sprintf("%s: %s", r.Kind, r.Title()),
		PackageName: func(path string) string { return names[path] },
		Measure:     regressMeasure(r),
	}, nil
}

// packageNames returns the names of the packages that the tests in a folder import. What the go command does not know is
// left out.
func packageNames(ctx context.Context, tc build.Toolchain, dir string) map[string]string {
	names := map[string]string{}
	cmd := exec.CommandContext(ctx, tc.Go, "list", "-e", "-deps", "-test", "-f", "{{.ImportPath}} {{.Name}}", ".")
	cmd.Dir, cmd.Env = dir, tc.Environ()
	out, _ := cmd.Output() // the last element of the path is nearly always right
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 1 { // a package that is built for a test has that in brackets between
			names[f[0]] = f[len(f)-1]
		}
	}
	return names
}
