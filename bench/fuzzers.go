package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A fuzzer is one of those that are compared.
type fuzzer interface {
	// name is the head of its column.
	name() string
	// setup installs it; an error says why it can't take part.
	setup(ctx context.Context) error
	// build makes what fuzzes s; it is called again for the same s by another fuzzer of the same kind.
	build(ctx context.Context, s subject) error
	// fuzz runs a campaign, and returns its progress and its corpus as files of `go test fuzz v1`.
	fuzz(ctx context.Context, s subject, c campaign) (run, [][]byte, error)
}

// A campaign is one run of one fuzzer on one subject.
type campaign struct {
	Seeds  [][]byte // the inputs themselves
	Corpus [][]byte // files of `go test fuzz v1` that a native fuzzer finds in its cache
	Solved string   // a file that ends the run when it appears; "" for none
}

// A native fuzzes with a test binary: that of go test -fuzz, or that of gnaw.
type native struct {
	lab     *lab
	tool    string // "go" or the gnaw binary
	time    time.Duration
	label   string
	without string // techniques of gnaw that are off
}

func (n *native) name() string { return n.label }

func (n *native) setup(context.Context) error { return nil }

func (n *native) binary(s subject) string {
	return filepath.Join(n.lab.bin(), s.Name+"."+strings.TrimSuffix(filepath.Base(n.tool), exeSuffix())+".fuzz.test"+exeSuffix())
}

func (n *native) build(ctx context.Context, s subject) error {
	if _, err := os.Stat(n.binary(s)); err == nil {
		return nil
	}
	_, err := output(ctx, n.lab.module(), n.tool, "test", "-c", "-fuzz=.", "-o", n.binary(s), "./"+s.dir())
	return err
}

func (n *native) fuzz(ctx context.Context, s subject, c campaign) (r run, corpus [][]byte, err error) {
	cmd, err := n.lab.machine.command(ctx, n.binary(s), "-test.run=^$", "-test.fuzz=^FuzzTarget$", "-test.fuzztime="+n.time.String(),
		"-test.parallel=1", "-test.fuzzcachedir=cache")
	if err != nil {
		return run{}, nil, err
	}
	defer os.RemoveAll(cmd.Dir)
	seeds, err := fromRaw(c.Seeds)
	if err != nil {
		return run{}, nil, err
	}
	if err := writeNumbered(filepath.Join(cmd.Dir, seedDir), seeds); err != nil {
		return run{}, nil, err
	}
	cache := filepath.Join(cmd.Dir, "cache", "FuzzTarget")
	if err := writeNumbered(cache, c.Corpus); err != nil {
		return run{}, nil, err
	}
	if n.without != "" {
		cmd.Env = append(cmd.Env, "GNAW_WITHOUT="+n.without)
	}
	r, err = watch(cmd, parseStatus, 0, c.Solved)
	corpus, readErr := readFiles(cache)
	return r, corpus, errors.Join(err, readErr)
}

// Versions of the peers: the newest there are. The list of what go-fuzz itself needs is not pinned by it.
const (
	goFuzzModule  = "github.com/dvyukov/go-fuzz"
	goFuzzVersion = "v0.0.0-20220726122315-1d375ef9f9f6"
)

// A goFuzz fuzzes with go-fuzz of dvyukov.
type goFuzz struct {
	lab  *lab
	time time.Duration
}

func (*goFuzz) name() string { return "go-fuzz" }

// setup installs go-fuzz and go-fuzz-build into the temporary folder, and adds the package that instrumented code imports
// to the copy of the targets' module.
func (g *goFuzz) setup(ctx context.Context) error {
	for _, command := range []string{"go-fuzz", "go-fuzz-build"} {
		if _, err := outputEnv(ctx, "", []string{"GOBIN=" + g.lab.bin()}, "go", "install", goFuzzModule+"/"+command+"@"+goFuzzVersion); err != nil {
			return err
		}
	}
	_, err := output(ctx, g.lab.module(), "go", "get", goFuzzModule+"/go-fuzz-dep@"+goFuzzVersion)
	return err
}

func (g *goFuzz) archive(s subject) string { return filepath.Join(g.lab.bin(), s.Name+".go-fuzz.zip") }

func (g *goFuzz) build(ctx context.Context, s subject) error {
	_, err := output(ctx, g.lab.module(), filepath.Join(g.lab.bin(), "go-fuzz-build"+exeSuffix()), "-o", g.archive(s), "./"+s.dir())
	return err
}

func (g *goFuzz) fuzz(ctx context.Context, s subject, c campaign) (r run, corpus [][]byte, err error) {
	cmd, err := g.lab.machine.command(ctx, filepath.Join(g.lab.bin(), "go-fuzz"+exeSuffix()), "-bin="+g.archive(s), "-workdir=.", "-procs=1")
	if err != nil {
		return run{}, nil, err
	}
	defer os.RemoveAll(cmd.Dir)
	if err := writeNumbered(filepath.Join(cmd.Dir, "corpus"), c.Seeds); err != nil {
		return run{}, nil, err
	}
	r, err = watch(cmd, parseGoFuzz, g.time, c.Solved)
	corpus, readErr := readRaw(filepath.Join(cmd.Dir, "corpus"))
	return r, corpus, errors.Join(err, readErr)
}

// A libFuzzer fuzzes with libFuzzer of LLVM: the harness is what go-118-fuzz-build generates, less its decoding of several
// arguments out of one input, which would make other inputs of the seeds.
type libFuzzer struct {
	lab  *lab
	time time.Duration
}

func (*libFuzzer) name() string { return "libFuzzer" }

func (*libFuzzer) setup(context.Context) error {
	if _, err := exec.LookPath("clang"); err != nil {
		return errors.New("clang is not installed")
	}
	return nil
}

func (l *libFuzzer) binary(s subject) string {
	return filepath.Join(l.lab.bin(), s.Name+".libfuzzer"+exeSuffix())
}

// build links an instrumented archive with libFuzzer; the flags are those of go-118-fuzz-build.
func (l *libFuzzer) build(ctx context.Context, s subject) error {
	args := []string{"build", "-buildmode=c-archive", "-tags=gofuzz_libfuzzer,libfuzzer", "-trimpath", "-gcflags=all=-d=libfuzzer"}
	for _, p := range []string{"runtime/cgo", "runtime/pprof", "runtime/race", "syscall"} {
		args = append(args, "-gcflags="+p+"=-d=libfuzzer=0")
	}
	archive := l.binary(s) + ".a"
	defer os.Remove(archive)
	args = append(args, "-o", archive, "./"+s.dir()+"/libfuzzer")
	if _, err := outputEnv(ctx, l.lab.module(), []string{"CGO_ENABLED=1"}, "go", args...); err != nil {
		return err
	}
	_, err := output(ctx, "", "clang", "-fsanitize=fuzzer", archive, "-o", l.binary(s))
	return err
}

func (l *libFuzzer) fuzz(ctx context.Context, s subject, c campaign) (r run, corpus [][]byte, err error) {
	cmd, err := l.lab.machine.command(ctx, l.binary(s), fmt.Sprintf("-max_total_time=%d", int(l.time.Seconds())), "-artifact_prefix=./", "corpus")
	if err != nil {
		return run{}, nil, err
	}
	defer os.RemoveAll(cmd.Dir)
	if err := writeNumbered(filepath.Join(cmd.Dir, "corpus"), c.Seeds); err != nil {
		return run{}, nil, err
	}
	r, err = watch(cmd, parseLibFuzzer, 0, c.Solved)
	corpus, readErr := readRaw(filepath.Join(cmd.Dir, "corpus"))
	return r, corpus, errors.Join(err, readErr)
}

// readRaw reads a folder of inputs as files of `go test fuzz v1`.
func readRaw(dir string) ([][]byte, error) {
	raw, err := readFiles(dir)
	if err != nil {
		return nil, err
	}
	return fromRaw(raw)
}
