package corpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// loadBatch is how many files one goroutine reads before it takes more and reports progress: some milliseconds of work,
// so that taking turns costs nothing and a progress bar moves.
const loadBatch = 128

// Load reads all files of the store but not its sub-directories, sorted by name. Of files that hold the same arguments it
// returns the first, even if they are spelled differently. Files that cannot be read, or in which the codec finds no
// arguments of the target, are returned as problems that name them; they stop nothing. So are, in one problem, files beyond the limits of
// the store. A directory that does not exist has no entries.
//
// The error is that of ctx if it ends before all is read, or that the directory cannot be listed; then there are neither
// entries nor problems. If progress is not nil it is called on the goroutine of the caller, with done growing up to total.
func (s Store) Load(ctx context.Context, progress func(done, total int)) (entries []Entry, problems []error, err error) {
	list, err := candidates(s.files, s.dir)
	if err != nil {
		return nil, nil, err
	}
	list, beyond := s.withinLimits(list)
	l := loader{store: s, list: list, results: make([]result, len(list))}
	if err := l.run(ctx, progress); err != nil {
		return nil, nil, fmt.Errorf("load corpus directory %s: %w", s.dir, err)
	}
	if beyond != nil {
		problems = append(problems, beyond)
	}
	seen := make(map[[sha256.Size]byte]bool, len(list))
	for i, r := range l.results {
		switch {
		case r.problem != nil:
			problems = append(problems, r.problem)
		case r.args != nil && !seen[r.sum]:
			seen[r.sum] = true
			name := list[i].Name()
			entries = append(entries, Entry{Name: name, Path: filepath.Join(s.dir, name), Args: r.args})
		}
	}
	return entries, problems, nil
}

// withinLimits returns the files, in order, that are within the limits of the store. The error says how many are not; nil: all are.
func (s Store) withinLimits(all []fs.DirEntry) (list []fs.DirEntry, beyond error) {
	if s.limits == (Limits{}) {
		return all, nil
	}
	var size int64
	for i, f := range all {
		if info, err := s.files.Stat(s.Path(f.Name())); err == nil && info.Mode().IsRegular() && info.Size() <= s.limits.File {
			size += info.Size()
		}
		if i == s.limits.Files || size > s.limits.Size {
			return all[:i], fmt.Errorf("the corpus directory %s has more than %d files or %d MiB: %d files are not read; remove what is not needed",
				s.dir, s.limits.Files, s.limits.Size>>20, len(all)-i)
		}
	}
	return all, nil
}

// List returns the names of the files of the store, sorted, with those that Load calls problems. A directory that does not
// exist has none.
func (s Store) List() (names []string, err error) {
	list, err := candidates(s.files, s.dir)
	for _, f := range list {
		if f.Type()&fs.ModeSymlink != 0 {
			if info, err := s.files.Stat(s.Path(f.Name())); err == nil && info.IsDir() {
				continue
			}
		}
		names = append(names, f.Name())
	}
	return names, err
}

// candidates lists what may be corpus files.
func candidates(files disk.Files, dir string) ([]fs.DirEntry, error) {
	all, err := files.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, disk.Explain("list corpus directory", dir, err)
	}
	list := all[:0]
	for _, f := range all {
		if !f.IsDir() && !strings.HasPrefix(f.Name(), disk.TempPrefix) {
			list = append(list, f)
		}
	}
	return list, nil
}

// A loader reads the files of one directory. Each element of results belongs to the goroutine that took its batch.
type loader struct {
	store   Store
	list    []fs.DirEntry
	taken   atomic.Int64 // files that some goroutine has begun or finished
	results []result
}

// A result is what became of one file: neither arguments nor a problem if there is nothing to load.
type result struct {
	args    input.Args
	sum     [sha256.Size]byte // of the packed arguments
	problem error
}

// run fills in the results. It owns every goroutine it starts: when it returns, none is left.
func (l *loader) run(ctx context.Context, progress func(done, total int)) error {
	total := len(l.list)
	batches := (total + loadBatch - 1) / loadBatch
	finished := make(chan int, batches) // holds all, so that a slow progress function delays no reader
	var wg sync.WaitGroup
	for range min(batches, runtime.GOMAXPROCS(0)) {
		wg.Go(func() { l.readBatches(ctx, finished) })
	}
	defer wg.Wait()
	for done := 0; done < total; {
		select {
		case n := <-finished:
			done += n
			if progress != nil {
				progress(done, total)
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// readBatches takes batches until none is left, and sends the size of each when it is read.
func (l *loader) readBatches(ctx context.Context, finished chan<- int) {
	var packed []byte
	for {
		to := int(l.taken.Add(loadBatch))
		from := to - loadBatch
		to = min(to, len(l.list))
		if from >= to {
			return
		}
		for i := from; i < to; i++ {
			if ctx.Err() != nil {
				return
			}
			r := &l.results[i]
			r.args, r.problem = l.read(l.list[i])
			packed = input.Append(packed[:0], r.args)
			r.sum = sha256.Sum256(packed)
		}
		finished <- to - from
	}
}

// read reads one file. Nil arguments without an error mean that there is nothing to load.
func (l *loader) read(f fs.DirEntry) (input.Args, error) {
	path := filepath.Join(l.store.dir, f.Name())
	if !f.Type().IsRegular() {
		info, err := l.store.files.Stat(path) // follows a link
		switch {
		case err != nil:
			return nil, disk.Explain("read corpus file", path, err)
		case info.IsDir():
			return nil, nil
		case !info.Mode().IsRegular():
			return nil, disk.Explain("read corpus file", path, disk.ErrIrregular)
		}
	}
	a, err := l.store.Read(f.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // removed since the directory was listed
	}
	return a, err
}
