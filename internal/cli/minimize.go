package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// minimizing is one run of `gnaw minimize`.
type minimizing struct {
	env      Env
	budget   budget
	timeout  time.Duration
	memLimit uint64
	target   string   // by flag; empty: the name of the folder of the file
	pkg      string   // folder or import path by flag; empty: where the file is, or the working directory
	flags    []string // of the go command
	args     []string // of the test binary
	json     bool
	fileless bool         // the input is in the history only, as that of a known finding
	others   []input.Args // other inputs of the finding, the smallest first
	plainStd bool         // -std=plain
}

// define returns the flags.
func (m *minimizing) define() *flagSet {
	fs := newFlags("minimize")
	fs.describe("fuzzminimizetime", "d", "time or executions; 0s: no limit (default 60s)")
	fs.Var(&m.budget, "fuzzminimizetime", "")
	fs.describe("timeout", "d", "limit for one execution (default 10s)")
	fs.DurationVar(&m.timeout, "timeout", m.timeout, "")
	fs.describe("target", "name", "the target of FILE (default: the name of its folder)")
	fs.StringVar(&m.target, "target", "", "")
	fs.describe("package", "p", "folder or import path of the package (default: the package whose testdata/fuzz contains FILE, or else the "+
		"package in the working directory)")
	fs.StringVar(&m.pkg, "package", "", "")
	fs.describe("memlimit", "size", "limit for the heap, such as 512MiB (default: as gnaw fuzz with one worker)")
	fs.Func("memlimit", "", func(s string) error {
		n, err := build.ParseSize(s)
		m.memLimit = uint64(n)
		return err
	})
	fs.describe("std", "hooks|plain", "as in gnaw test")
	fs.Func("std", "", func(s string) (err error) {
		m.plainStd, err = build.ParseStd(s)
		return err
	})
	fs.describe("tags", "t", "as in go build (default with an ID: the tags of the finding)")
	fs.Func("tags", "", func(s string) error { m.flags = append(m.flags, "-tags="+s); return nil })
	fs.describe("json", "", "print one object: target, path (empty if there is no file), original_size, size, smaller, literals, seconds, "+
		"candidates")
	fs.BoolVar(&m.json, "json", false, "")
	fs.describe("args", "...", "pass the remaining arguments to the test binary (default with an ID: the arguments of the finding)")
	return fs
}

// runMinimize is `gnaw minimize`.
func runMinimize(ctx context.Context, env Env, args []string) (int, error) {
	m := &minimizing{env: env, budget: budget{time: time.Minute}, timeout: defaultTimeout, memLimit: session.DefaultMemLimit(executor.MemoryRoom(), 1)}
	args, m.args = cutArgs(args)
	rest, err := parseMixed(m.define(), args)
	if err != nil {
		return 0, err
	}
	what, err := one("minimize", "file or ID", rest)
	if err == nil {
		err = checkTimeout(m.timeout)
	}
	if err != nil {
		return 0, err
	}
	path := what
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	if _, err := os.Stat(path); err == nil {
		return m.file(ctx, path)
	}
	if strings.ContainsAny(what, `/\.`) {
		return 0, usagef("there is no file %s; write the path of an input, or the ID of a finding", what)
	}
	return m.finding(ctx, what)
}

// finding minimizes the input of a finding, and keeps what comes of it in the history.
func (m *minimizing) finding(ctx context.Context, id string) (int, error) {
	s, r, err := pick(ctx, m.env, id)
	if err != nil {
		return 0, err
	}
	defer s.close()
	if err := understood(r, s.all); err != nil {
		return 0, err
	}
	if err := refuseMeasured(r, "minimize"); err != nil {
		return 0, err
	}
	if r = withFile(r); r.Path == "" || r.Seed != "" {
		return 0, usagef("the input of %s is a seed of yours, which gnaw does not change; copy it to a file of testdata/fuzz/%s first",
			finding.Short(r.ID, store.IDs(s.all)), r.Target)
	}
	old := s.module.Abs(r.Path)
	_, err = os.Stat(old)
	m.fileless = errors.Is(err, os.ErrNotExist)
	forget, err := putInput(s.module, r)
	if err != nil {
		return 0, err
	}
	defer forget(m.env)
	m.target, m.pkg, m.flags = r.Target, s.module.Abs(r.Folder), append(slices.Clone(r.Flags), m.flags...)
	if m.args == nil {
		m.args = r.Args
	}
	for _, sample := range r.More {
		if a, err := input.Unmarshal([]byte(sample.Input)); err == nil && sample.Package == r.Package && sample.Target == r.Target {
			m.others = append(m.others, a)
		}
	}
	done, err := m.minimize(ctx, old)
	if err != nil || done.path == old {
		return exitcode.OK, err
	}
	r.Path = s.module.Source(r.Package, m.pkg).Relative(done.path)
	r.Size, r.Minimize, r.Output = done.args.Size(), r.Minimize+done.took.Seconds(), done.failure.Output
	r.Input = string(input.Marshal(done.args))
	r = r.AddSamples() // without this one
	// An interrupt ends the search, and what it has found is kept.
	if err := s.store.Update(context.WithoutCancel(ctx), s.module.Path, r); err != nil {
		return 0, err
	}
	return exitcode.OK, m.replace(old)
}

// replace removes the file that gnaw made for a finding, as when it is minimized while fuzzing. A finding without a file gets
// none.
func (m *minimizing) replace(old string) error {
	if m.fileless {
		return nil
	}
	if err := corpus.Discard(old); err != nil {
		return err
	}
	if !m.json {
		fmt.Fprintf(m.env.Stdout, "removed the file that it replaces, %s\n", project.Relative(m.env.Dir, old))
	}
	return nil
}

// file minimizes the input in a file, which stays.
func (m *minimizing) file(ctx context.Context, path string) (int, error) {
	dir := filepath.Dir(path) // testdata/fuzz/<Target>
	usual := filepath.Base(filepath.Dir(dir)) == "fuzz" && filepath.Base(filepath.Dir(filepath.Dir(dir))) == "testdata"
	if !usual && m.target == "" {
		return 0, usagef("%s is not in testdata/fuzz/<Target> of a package; say with -target and -package what it is for", path)
	}
	if m.target == "" {
		m.target = filepath.Base(dir)
	}
	if m.pkg == "" && usual {
		m.pkg = filepath.Dir(filepath.Dir(filepath.Dir(dir)))
	}
	_, err := m.minimize(ctx, path)
	return exitcode.OK, err
}

// minimized is what came of an input.
type minimized struct {
	args    input.Args
	path    string           // file with it; the old one if it could not be made smaller
	failure *finding.Finding // how it fails
	took    time.Duration
}

// minimize minimizes the input in a file and writes a new file beside those of the target.
func (m *minimizing) minimize(ctx context.Context, path string) (result minimized, err error) {
	b, err := m.build(ctx)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.Process.Start(ctx); err != nil {
		return result, err
	}
	a, err := corpus.Read(path, corpus.GoTest(b.Process.Kinds()))
	if err != nil {
		return result, err
	}
	first, err := b.Process.Execute(ctx, a)
	if err != nil {
		return result, err
	}
	if first == nil {
		return result, usagef("%s does not fail with %s, so there is nothing to keep while it is made smaller", b.Target.Name, path)
	}
	start := time.Now()
	best, stats, searchErr := b.Process.Minimize(ctx, first, session.Search{Time: m.budget.time, Execs: int(m.budget.execs), Others: m.others})
	result = minimized{args: best.Input, path: path, failure: best, took: time.Since(start)}
	if best.Input.Equal(a) {
		return result, errors.Join(searchErr, m.tell(a, result, stats))
	}
	if result.path, err = m.write(ctx, b, best.Input, first.Kind); err != nil {
		return result, fmt.Errorf("%w, so %s stays as it is", err, path)
	}
	return result, errors.Join(searchErr, m.tell(a, result, stats))
}

// write writes what is left of an input, and runs it as plain go test does. If it does not fail there, nothing is left. A finding
// without a file gets none.
func (m *minimizing) write(ctx context.Context, b *session.Binary, a input.Args, kind finding.Kind) (path string, err error) {
	store := corpus.Open(filepath.Join(b.Target.Dir, "testdata", "fuzz", b.Target.Name), corpus.GoTest(b.Process.Kinds()))
	var h *corpus.Hold
	own := false
	if m.fileless {
		h, err = store.TakeTemporary(a)
	} else {
		h, own, err = store.Take(a)
	}
	if err != nil {
		return "", err
	}
	got, err := b.Replayer().Replay(ctx, filepath.Base(h.Path()), kind)
	end, passed := h.Keep, err == nil && got != engine.ReplayFailed
	switch {
	case m.fileless:
		end = h.Release
	case passed && own:
		end = h.Discard
	}
	if err := end(); passed && (own || m.fileless) {
		return "", errors.Join(errors.New("what is left of the input does not fail in a fresh process"), err)
	} else if err != nil {
		return "", err
	}
	return h.Path(), nil
}

// minimizedJSON is what came of an input as machines read it.
type minimizedJSON struct {
	Target   string   `json:"target"`
	Path     string   `json:"path"`          // absolute; of the file that was given if nothing smaller was found; empty: in the history only
	From     int      `json:"original_size"` // bytes
	Size     int      `json:"size"`          // bytes
	Smaller  bool     `json:"smaller"`
	Literals []string `json:"literals"` // the arguments as Go expressions
	Seconds  float64  `json:"seconds"`
	Checks   int      `json:"candidates"`
}

// tell prints what came of an input.
func (m *minimizing) tell(a input.Args, r minimized, stats minimize.Stats) error {
	literals := report.Literals(string(input.Marshal(r.args)))
	if m.json {
		path := r.path
		if m.fileless {
			path = ""
		}
		return writeJSON(m.env.Stdout, minimizedJSON{
			m.target, path, a.Size(), r.args.Size(), !r.args.Equal(a), literals, r.took.Seconds(), stats.Checks,
		})
	}
	if r.args.Equal(a) {
		fmt.Fprintf(m.env.Stdout, "nothing smaller fails in the same way (%d candidates in %.1f s)\n", stats.Checks, r.took.Seconds())
		return nil
	}
	fmt.Fprintf(m.env.Stdout, "minimized from %d to %d bytes in %.1f s, %d candidates\n", a.Size(), r.args.Size(), r.took.Seconds(), stats.Checks)
	for _, line := range literals {
		fmt.Fprintf(m.env.Stdout, "  %s\n", report.Line(line))
	}
	if m.fileless {
		fmt.Fprintln(m.env.Stdout, "kept in the history, as before; there was no file of it")
		return nil
	}
	fmt.Fprintf(m.env.Stdout, "written to %s\n", project.Relative(m.env.Dir, r.path))
	return nil
}

// build builds the test binary of the target.
func (m *minimizing) build(ctx context.Context) (*session.Binary, error) {
	b, err := session.Build(ctx, session.Spec{
		Dir: m.env.Dir, Environ: m.env.Environ, Package: m.pkg, Target: m.target, Flags: m.flags, PlainStd: m.plainStd, Notices: m.env.Stderr,
		Args: m.args, Timeout: m.timeout, MemLimit: m.memLimit,
	})
	return b, asUsage(err)
}

// asUsage makes an error of the arguments of one about what the user has asked for and is not there.
func asUsage(err error) error {
	var none *session.NoTargetError
	var pattern *build.PatternError
	if errors.As(err, &none) || errors.As(err, &pattern) {
		return usagef("%v", err)
	}
	return err
}
