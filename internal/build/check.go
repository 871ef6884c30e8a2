package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// Packages returns the packages of targets, each once.
func Packages(targets []Target) (packages []string) {
	for _, t := range targets {
		if !slices.Contains(packages, t.Package) {
			packages = append(packages, t.Package)
		}
	}
	return packages
}

// Uncompiled compiles the packages of targets with their tests, without linking, and returns those that do not compile.
func Uncompiled(ctx context.Context, tc Toolchain, dir string, targets []Target, flags []string) ([]PackageError, error) {
	packages := Packages(targets)
	if len(packages) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"list", "-e", "-test", "-export", "-json=ImportPath,ForTest,Error,DepsErrors"}, flags, []string{"--"}, packages)
	cmd := exec.Command(tc.Go, args...)
	cmd.Dir, cmd.Env = dir, tc.Environ()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := group.Run(ctx, cmd)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || out.Len() == 0) {
		return nil, fmt.Errorf("compile the packages: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	list, err := decodeList[compiledPackage](out.Bytes())
	if err != nil {
		return nil, err
	}
	var broken []PackageError
	for _, p := range list {
		name, _, _ := strings.Cut(p.ImportPath, " ")
		if p.ForTest != "" {
			name = p.ForTest
		}
		if p.Error == nil && len(p.DepsErrors) > 0 {
			p.Error = p.DepsErrors[0]
		}
		known := slices.ContainsFunc(broken, func(b PackageError) bool { return b.Package == name })
		if p.Error == nil || known || !slices.Contains(packages, name) {
			continue
		}
		broken = append(broken, PackageError{Package: name, Reason: p.Error.first()})
	}
	return broken, nil
}

// compiledPackage is a package as `go list -export -json` describes it.
type compiledPackage struct {
	ImportPath, ForTest string
	Error               *compileError
	DepsErrors          []*compileError
}

// compileError is the error of the go command about a package that does not compile.
type compileError struct{ Pos, Err string }

// first returns the first line that has more than the name of the package.
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
