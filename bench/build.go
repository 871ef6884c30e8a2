package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A builder makes the test binaries in a copy of bench/targets, so that nothing is written into the source tree.
type builder struct {
	Dir  string // temporary folder of this run
	Gnaw string // gnaw binary; "" until prepare has built it
	Log  io.Writer
}

// benchPath and gnawPath are the import paths of this command and of gnaw.
const (
	benchPath = "github.com/gnaw-fuzz/gnaw/bench"
	gnawPath  = "github.com/gnaw-fuzz/gnaw/cmd/gnaw"
)

// prepare copies the targets' module and builds gnaw. The working directory has to be in gnaw's module.
func (b *builder) prepare(ctx context.Context) error {
	source, err := output(ctx, "", "go", "list", "-f", "{{.Dir}}", benchPath)
	if err != nil {
		return fmt.Errorf("find the targets: %w", err)
	}
	if err := os.CopyFS(b.module(), os.DirFS(filepath.Join(source, "targets"))); err != nil {
		return fmt.Errorf("copy the targets: %w", err)
	}
	if b.Gnaw != "" {
		b.Gnaw, err = filepath.Abs(b.Gnaw)
		return err
	}
	b.Gnaw = filepath.Join(b.Dir, "bin", "gnaw"+exeSuffix())
	fmt.Fprintln(b.Log, "build gnaw")
	if _, err := output(ctx, "", "go", "build", "-o", b.Gnaw, gnawPath); err != nil {
		return fmt.Errorf("build gnaw: %w", err)
	}
	return nil
}

func (b *builder) module() string { return filepath.Join(b.Dir, "module") }

// build makes both binaries of a target.
func (b *builder) build(ctx context.Context, t *target) error {
	for _, side := range []struct {
		tool string
		out  *string
	}{{"go", &t.goBinary}, {b.Gnaw, &t.gnawBinary}} {
		tool := strings.TrimSuffix(filepath.Base(side.tool), exeSuffix())
		fmt.Fprintf(b.Log, "build %s with %s\n", t.Name, tool)
		*side.out = filepath.Join(b.Dir, "bin", t.Name+"."+tool+".test"+exeSuffix())
		if _, err := output(ctx, b.module(), side.tool, "test", "-c", "-fuzz=.", "-o", *side.out, "./"+t.Name); err != nil {
			return fmt.Errorf("build %s with %s: %w", t.Name, tool, err)
		}
	}
	return nil
}

func (b *builder) goVersion(ctx context.Context) string {
	version, err := output(ctx, b.module(), "go", "env", "GOVERSION")
	if err != nil {
		return runtime.Version()
	}
	return version
}

// output runs a command and returns what it prints; an error carries what it says on stderr.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	return outputEnv(ctx, dir, nil, name, args...)
}

// outputEnv is output with variables added to the environment.
func outputEnv(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
