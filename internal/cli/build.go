package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/bundle"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/libfuzzer"
	"github.com/gnaw-fuzz/gnaw/internal/pack"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// buildFlags are the flags of `gnaw build`.
type buildFlags struct {
	out  string
	spec session.Spec
	json bool

	launcher bool
}

// define returns the flags.
func (f *buildFlags) define() *flagSet {
	fs := newFlags("build")
	fs.describe("json", "", "print one object: file, package, target, size, seeds, words, files, left_out")
	fs.BoolVar(&f.json, "json", false, "")
	fs.describe("launcher", "", "write FILE.gnaw, and as FILE a small program that starts it, compiled by $CC $CFLAGS: for services that check how a "+
		"fuzzer was compiled, such as OSS-Fuzz")
	fs.BoolVar(&f.launcher, "launcher", false, "")
	fs.describe("o", "file", "the executable that is written")
	fs.StringVar(&f.out, "o", "", "")
	fs.describe("tags", "t", "as in go build")
	fs.Func("tags", "", func(s string) error { f.spec.Flags = append(f.spec.Flags, "-tags="+s); return nil })
	return fs
}

// builtJSON is the JSON form of what `gnaw build` prints.
type builtJSON struct {
	File    string   `json:"file"` // absolute
	Package string   `json:"package"`
	Target  string   `json:"target"`
	Size    int64    `json:"size"`     // bytes
	Seeds   int      `json:"seeds"`    // files of testdata/fuzz
	Words   int      `json:"words"`    // of the sources
	Files   int      `json:"files"`    // other files of the folder of the package
	LeftOut []string `json:"left_out"` // files of the folder that are not in the executable
}

// runBuild is `gnaw build`.
func runBuild(ctx context.Context, env Env, args []string) (int, error) {
	f := &buildFlags{spec: session.Spec{Dir: env.Dir, Environ: env.Environ, Notices: env.Stderr, Timeout: session.DefaultTimeout}}
	rest, err := parseMixed(f.define(), args)
	switch {
	case err != nil:
		return 0, err
	case len(rest) != 2 || strings.Contains(rest[0], "..."):
		return 0, usagef("build takes PKG TARGET: the folder or import path of one package, and the name of a target; `gnaw list` shows all targets")
	case f.out == "":
		return 0, usagef("write the name of the executable with -o")
	case env.Executable == "":
		return 0, errors.New("gnaw cannot find its own executable, which the new one begins with; mount /proc")
	}
	f.spec.Package, f.spec.Target = rest[0], rest[1]
	if strings.HasPrefix(rest[0], ".") { // a folder; session looks for it in the folder of the process
		f.spec.Package = env.Abs(rest[0])
	}
	r, err := pack.Pack(ctx, pack.Options{Spec: f.spec, Executable: env.Executable, File: env.Abs(f.out), Launcher: f.launcher})
	if err != nil {
		return 0, err
	}
	for _, name := range r.Libc {
		fmt.Fprintf(env.Stderr, "gnaw: %s needs the C library of the machine on which it runs; built with CGO_ENABLED=0, it does not\n", name)
	}
	if f.json {
		return exitcode.OK, writeJSON(env.Stdout, builtJSON{
			env.Abs(f.out), rest[0], rest[1], r.Size, r.Seeds, r.Words, r.Files, append([]string{}, r.LeftOut...),
		})
	}
	for _, why := range r.LeftOut {
		fmt.Fprintf(env.Stderr, "gnaw: left out: %s\n", why)
	}
	fmt.Fprintf(env.Stdout, "%s fuzzes %s without Go: %.1f MiB with %s, %s and %s; `%[1]s -help` lists its flags\n",
		f.out, rest[1], float64(r.Size)/(1<<20), report.Plural(r.Seeds, "seed"), report.Plural(r.Words, "word"), report.Plural(r.Files, "other file"))
	return exitcode.OK, nil
}

// runBundle does what an executable with a bundle does. found is false if this one has none.
func runBundle(ctx context.Context, env Env) (code int, found bool, err error) {
	if env.Executable == "" {
		return 0, false, nil
	}
	b, file, err := bundle.Attached(env.Executable)
	if errors.Is(err, bundle.ErrNone) {
		return 0, false, nil
	}
	if err != nil {
		return 0, true, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	ctx, end := listen(ctx, env, true)
	defer end()
	code, err = libfuzzer.Main(ctx, libfuzzer.Options{
		Program: env.Executable, Args: env.Args, Environ: env.Environ, Dir: env.Dir, Bundle: b, Out: env.Stderr,
	})
	if err != nil {
		fmt.Fprintf(env.Stderr, "ERROR: %v\n", err)
	}
	return code, true, nil
}
