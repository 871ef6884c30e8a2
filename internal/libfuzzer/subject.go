package libfuzzer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/bundle"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// subject is the target of a bundle whose parts are files of this process.
type subject struct {
	Options
	flags
	name   fuzz.Name
	site   *cache.Site
	kinds  []input.Kind
	codec  corpus.Codec
	config executor.Config
}

// open extracts the bundle. The caller closes the subject.
func open(o Options, f flags) (*subject, error) {
	m := o.Bundle.Manifest
	u := &subject{Options: o, flags: f, name: fuzz.Name{Package: m.Package, Func: m.Target}}
	for _, name := range m.Kinds {
		k, found := kindNamed(name)
		if !found {
			return nil, fmt.Errorf("the bundle is damaged: %q is no type of an argument", name)
		}
		u.kinds = append(u.kinds, k)
	}
	u.codec = corpus.Either(u.kinds)
	var err error
	if u.site, err = cache.OpenTemporary(); err != nil {
		return nil, err
	}
	if err := o.Bundle.Extract(u.extracted()); err != nil {
		return nil, errors.Join(err, u.close())
	}
	t := build.Target{Name: u.name, Dir: u.path(bundle.Folder)}
	u.config = session.Config(o.Environ, t, u.path(bundle.Fuzz), filepath.Join(u.site.Dir, "corpus"), f.limit(), nil)
	return u, nil
}

// close removes the files.
func (u *subject) close() error { return u.site.Close() }

// extracted is the folder with the parts.
func (u *subject) extracted() string { return filepath.Join(u.site.Dir, "x") }

// path is where a part is.
func (u *subject) path(part string) string {
	return filepath.Join(u.extracted(), filepath.FromSlash(part))
}

// seedDir is the folder with the seeds of testdata. Failing inputs are there too while they are replayed.
func (u *subject) seedDir() string {
	return filepath.Join(u.path(bundle.Folder), "testdata", "fuzz", u.name.Func)
}

func (u *subject) printf(format string, args ...any) { fmt.Fprintf(u.Out, format, args...) }

// kindNamed returns the kind with a name.
func kindNamed(name string) (input.Kind, bool) {
	for k := range input.Kind(255) {
		if k.Valid() && k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// memLimit returns the limit for the heap of one process in bytes; 0: none.
func (u *subject) memLimit() uint64 { return uint64(u.rssMB) << 20 }

// process returns a process that executes single inputs. The caller closes it.
func (u *subject) process() *session.Process {
	return &session.Process{Config: u.config, Refuse: true, Setup: wire.Setup{MemLimit: u.memLimit()}}
}

// words returns the function that finds the words for the target.
func (u *subject) words() (engine.WordsFunc, error) {
	var given [][]byte
	if u.dict != "" {
		var err error
		if given, err = dictionary.ReadNamed(u.abs(u.dict)); err != nil {
			return nil, err
		}
	}
	var ours [][]byte
	if u.Bundle.Has(bundle.Words) {
		var err error
		if ours, err = dictionary.Read(u.path(bundle.Words)); err != nil {
			return nil, err
		}
	}
	return session.FindWords(given, u.seedDir(), func(context.Context) [][]byte { return ours })
}

// abs returns the absolute path of a file that the user names.
func (u *subject) abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.Dir, name)
}

// unit is an input with the file that it comes from.
type unit struct {
	path string
	args input.Args
	size int // of the file in bytes
}

// read reads the input of a file.
func (u *subject) read(path string) (unit, error) {
	data, err := disk.Read(path, disk.MaxInput)
	if err != nil {
		return unit{}, err
	}
	a, err := u.codec.Unmarshal(data)
	if err != nil {
		return unit{}, fmt.Errorf("%s is no input of %s, which takes %s: %w", path, u.name.Func, corpus.KindsText(u.kinds), err)
	}
	return unit{path, a, len(data)}, nil
}

// load reads the inputs of folders, small ones first. It names files that are no inputs, and skips them.
func (u *subject) load(ctx context.Context, folders []string) (list []unit, err error) {
	for _, dir := range folders {
		entries, problems, err := corpus.Open(dir, u.codec).Limited(corpus.SourceLimits).Load(ctx, nil)
		if err != nil {
			return nil, err
		}
		for _, p := range problems {
			u.printf("WARNING: skipped: %v\n", p)
		}
		for _, e := range entries {
			list = append(list, unit{e.Path, e.Args, e.Args.Size()})
		}
	}
	slices.SortStableFunc(list, func(a, b unit) int { return a.size - b.size })
	return list, nil
}

// file returns the content of the file for an input.
func (u *subject) file(a input.Args) ([]byte, error) { return u.codec.Marshal(a) }

// write writes an input to a file, unless the file has it.
func write(path string, data []byte) error {
	if old, err := disk.Read(path, int64(len(data))); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.Write(path, data)
}
