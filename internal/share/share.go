// Package share exchanges the corpora of targets with a place that several people or machines use: a folder, a zip, or a branch of a git
// repository. What is there and what is here become a union, so nobody loses an input, whoever writes at the same time, and a process that is
// killed leaves what was there.
//
// In a place, the inputs of a target have the format v1 and lie in the folder <package>/<target>, as in the cache of the go command. Inputs
// of any types are exchanged: those that the target no longer takes can be migrated elsewhere.
package share

import (
	"context"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
)

// Corpus is the corpus of a target.
type Corpus struct {
	Target string // <package>/<target>: its folder in a place
	Dir    string // folder on this machine, which need not be there
}

// World is what git commands need.
type World struct {
	Dir     string // folder in the user's repository, if there is one: it has names of remotes and settings for them
	Environ []string
}

// Result says what an exchange did.
type Result struct {
	Inputs  int // that the sending side has
	New     int // of these, that the receiving side did not have
	Skipped []corpus.Skipped
}

// Push adds a corpus to a place, which it makes if there is none.
func Push(ctx context.Context, w World, p Place, c Corpus) (r Result, err error) {
	files, r, err := filesOf(ctx, c)
	if err != nil {
		return r, err
	}
	if p.Path != "" {
		r.New, err = corpus.Add(p.Path, files)
		return r, err
	}
	r.New, err = pushBranch(ctx, w, p, c.Target, files)
	return r, err
}

// filesOf returns the files of a corpus with their names in a place.
func filesOf(ctx context.Context, c Corpus) (files []corpus.File, r Result, err error) {
	seen := map[string]bool{}
	l, err := corpus.LoadFolder(ctx, c.Dir, func(_ string, a input.Args) error {
		data := input.Marshal(a)
		name := c.Target + "/" + corpus.Name(data)
		if !seen[name] {
			seen[name] = true
			files = append(files, corpus.File{Name: name, Data: data})
		}
		return nil
	})
	return files, Result{Inputs: len(files), Skipped: l.Skipped}, err
}

// Pull adds what a place has to a corpus. The error is a *usage.Error if there is no such place, or if it has no inputs of the target.
func Pull(ctx context.Context, w World, p Place, c Corpus) (r Result, err error) {
	if p.Path != "" {
		return pullPath(ctx, p.Path, p, c)
	}
	return pullBranch(ctx, w, p, c)
}
