package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// targetJSON is a target, or a package that has none because it does not build, as machines read it.
type targetJSON struct {
	Package string `json:"package"`
	Target  string `json:"target,omitempty"`
	Folder  string `json:"folder,omitempty"` // absolute
	File    string `json:"file,omitempty"`   // absolute
	Line    int    `json:"line,omitempty"`
	Error   string `json:"error,omitempty"` // why there is no target; one line
}

// listFlags are the flags of `gnaw list`.
type listFlags struct {
	check, json bool
	tags        string
}

func (f *listFlags) define() *flagSet {
	fs := newFlags("list")
	fs.describe("check", "", "also compile the packages and their tests, and name those that do not build; with a cold build cache this "+
		"takes as long as a build")
	fs.BoolVar(&f.check, "check", false, "")
	fs.describe("json", "", "print one object per line: package, target, folder, file, line; or package and error")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("tags", "t", "as in go build")
	fs.StringVar(&f.tags, "tags", "", "")
	return fs
}

// runList is `gnaw list`.
func runList(ctx context.Context, env Env, args []string) (int, error) {
	var f listFlags
	patterns, err := parseMixed(f.define(), args)
	if err != nil {
		return 0, err
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var flags []string
	if f.tags != "" {
		flags = []string{"-tags=" + f.tags}
	}
	if err := checkPatterns(patterns); err != nil {
		return 0, err
	}
	tc, err := build.FindToolchain(ctx, env.Dir, env.Environ)
	if err != nil {
		return 0, err
	}
	targets, broken, err := build.List(ctx, tc, env.Dir, patterns, flags)
	if err != nil {
		return 0, asUsage(err)
	}
	if f.check {
		more, err := uncompiled(ctx, tc, env.Dir, targets, flags)
		if err != nil {
			return 0, err
		}
		broken = append(broken, more...)
	}
	if f.json {
		err = listJSON(env.Stdout, targets, broken)
	} else {
		listText(env, targets, broken)
		if len(targets)+len(broken) == 0 {
			fmt.Fprintf(env.Stderr, "gnaw: "+noTarget+"\n", strings.Join(patterns, " "))
		}
	}
	if len(broken) > 0 {
		return exitcode.Internal, err
	}
	return exitcode.OK, err
}

func listJSON(w io.Writer, targets []build.Target, broken []build.PackageError) error {
	for _, t := range targets {
		if err := writeJSON(w, targetJSON{Package: t.Package, Target: t.Name, Folder: t.Dir, File: t.File, Line: t.Line}); err != nil {
			return err
		}
	}
	for _, b := range broken {
		if err := writeJSON(w, targetJSON{Package: b.Package, Error: b.Reason}); err != nil {
			return err
		}
	}
	return nil
}

func listText(env Env, targets []build.Target, broken []build.PackageError) {
	for _, t := range targets {
		fmt.Fprintf(env.Stdout, "%s %s\n", t.Package, t.Name)
	}
	for _, b := range broken {
		fmt.Fprintf(env.Stderr, "gnaw: %s does not build: %s\n", b.Package, b.Reason)
	}
}

// uncompiled has the go command compile the packages of targets with their tests, without linking, and returns those for
// which that fails.
func uncompiled(ctx context.Context, tc build.Toolchain, dir string, targets []build.Target, flags []string) ([]build.PackageError, error) {
	packages := packagesOf(targets)
	if len(packages) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"list", "-e", "-test", "-export", "-json=ImportPath,ForTest,Error,DepsErrors"}, flags, []string{"--"}, packages)
	cmd := exec.Command(tc.Go, args...)
	cmd.Dir, cmd.Env = dir, tc.Environ()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := group.Run(ctx, cmd)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || out.Len() == 0) {
		return nil, fmt.Errorf("compile the packages: %w: %s", err, strings.TrimSpace(said.String()))
	}
	var broken []build.PackageError
	for dec := json.NewDecoder(&out); ; {
		var p struct {
			ImportPath, ForTest string
			Error               *compileError
			DepsErrors          []*compileError
		}
		if err := dec.Decode(&p); err == io.EOF {
			return broken, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		name, _, _ := strings.Cut(p.ImportPath, " ")
		if p.ForTest != "" {
			name = p.ForTest
		}
		if p.Error == nil && len(p.DepsErrors) > 0 {
			p.Error = p.DepsErrors[0]
		}
		known := slices.ContainsFunc(broken, func(b build.PackageError) bool { return b.Package == name })
		if p.Error == nil || known || !slices.Contains(packages, name) {
			continue
		}
		broken = append(broken, build.PackageError{Package: name, Reason: p.Error.first()})
	}
}

// compileError is what the go command has to say about a package that does not build.
type compileError struct{ Pos, Err string }

// first is the first line of it that says more than which package it is about.
func (e *compileError) first() string {
	text := e.Err
	if e.Pos != "" {
		text = e.Pos + ": " + text
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
