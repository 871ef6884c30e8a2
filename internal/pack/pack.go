// Package pack makes an executable that fuzzes one target without the go command: gnaw with a bundle of the target behind it.
package pack

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/bundle"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Options says what to pack.
type Options struct {
	Spec       session.Spec
	Executable string // path of gnaw
	File       string // absolute path of the executable that is written
	Launcher   bool   // File is a program compiled by the C compiler of Spec.Environ that starts File with [Suffix]
}

// Result is what was packed.
type Result struct {
	Size    int64 // of the file in bytes
	Seeds   int   // files of testdata/fuzz
	Words   int
	Files   int      // other files of the folder of the package
	LeftOut []string // files of the folder, with the reason
	Libc    []string // which of the programs need the C library
}

// Pack builds the test binaries of a target and writes the executable, which appears complete.
func Pack(ctx context.Context, o Options) (r Result, err error) {
	if runtime.GOOS != "linux" {
		return r, usage.Errorf("gnaw build makes executables for Linux only, and runs there only")
	}
	b, err := session.Build(ctx, o.Spec)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	m, err := describe(ctx, o.Spec, b)
	if err != nil {
		return r, err
	}
	plain, err := b.Plain(ctx)
	if err != nil {
		return r, err
	}
	if r.Seeds, err = checkSeeds(ctx, b); err != nil {
		return r, err
	}
	words := dictionary.Sources(ctx, dictionary.Place{Dir: b.Target.Dir, Target: b.Target.Name.Func, Getenv: func(name string) string {
		return session.Getenv(o.Spec.Environ, name)
	}})
	r.Words = len(words)
	var text []byte
	for _, w := range words {
		text = append(dictionary.AppendWord(text, w), '\n')
	}
	c, err := collect(b.Target.Dir, b.Target.Name.Func)
	if err != nil {
		return r, err
	}
	r.Files, r.LeftOut = len(c.files)-r.Seeds, c.leftOut
	r.Libc = needLibc(map[string]string{"gnaw": o.Executable, "the test binary": b.Process.Config.Path})
	files := append([]bundle.File{
		{Name: bundle.Fuzz, Path: b.Process.Config.Path, Exec: true},
		{Name: bundle.Plain, Path: plain, Exec: true},
		{Name: bundle.Words, Data: text},
	}, c.files...)
	to := o.File
	if o.Launcher {
		to += Suffix
	}
	if r.Size, err = bundle.Append(o.Executable, to, m, files); err != nil {
		return r, fmt.Errorf("write %s: %w", to, err)
	}
	if o.Launcher {
		return r, compileLauncher(ctx, o.Spec.Environ, o.File)
	}
	return r, nil
}

// describe starts a process of the target, and returns what it says of it.
func describe(ctx context.Context, s session.Spec, b *session.Binary) (m bundle.Manifest, err error) {
	tc, err := gocommand.FindToolchain(ctx, b.Target.Dir, s.Environ)
	if err != nil {
		return m, err
	}
	if err := b.Process.Start(ctx); err != nil {
		return m, err
	}
	hello := b.Process.Hello()
	m = bundle.Manifest{
		Protocol: b.Process.Config.Protocol, Go: tc.Version, OS: tc.OS, Arch: runtime.GOARCH,
		Package: b.Target.Name.Package, Target: b.Target.Name.Func, Kinds: []string{}, Counters: hello.Counters,
	}
	for _, k := range hello.Kinds {
		m.Kinds = append(m.Kinds, k.String())
	}
	b.Process.End()
	return m, nil
}

// checkSeeds returns how many files testdata/fuzz has for the target. The error names one that does not fit.
func checkSeeds(ctx context.Context, b *session.Binary) (n int, err error) {
	if err := b.Process.Start(ctx); err != nil {
		return 0, err
	}
	defer b.Process.End()
	kinds := b.Process.Kinds()
	dir := filepath.Join(b.Target.Dir, "testdata", "fuzz", b.Target.Name.Func)
	l, err := corpus.LoadFolder(ctx, dir, func(name string, a input.Args) error {
		n++
		if err := input.CheckKinds(a, kinds); err != nil {
			return usage.Errorf("the seed %s does not fit the target: %w; remove it, or see `gnaw help corpus` about migrate", filepath.Join(dir, name), err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, s := range l.Skipped {
		return 0, usage.Errorf("the seed %s cannot be used: %s; remove it", s.Name, s.Reason)
	}
	return n, nil
}
