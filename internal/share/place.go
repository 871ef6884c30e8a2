package share

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Place is where corpora are exchanged.
type Place struct {
	Path   string // folder or zip; empty: a branch
	Remote string // address of a git repository, or the name of a remote
	Branch string
}

// gitScheme is what a place begins with that is a branch.
const gitScheme = "git:"

// Parse reads a place: git:REMOTE#BRANCH, or the path of a folder or a zip, which abs makes absolute. The remote may be missing, which is
// origin. The error is a *usage.Error.
func Parse(text string, abs func(string) string) (Place, error) {
	rest, isGit := strings.CutPrefix(text, gitScheme)
	if !isGit {
		if text == "" {
			return Place{}, usage.Errorf("the place is empty; write a folder, a zip, or git:REMOTE#BRANCH")
		}
		return Place{Path: abs(text)}, nil
	}
	i := strings.LastIndexByte(rest, '#')
	if i < 0 || i == len(rest)-1 || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest[i+1:], "-") {
		return Place{}, usage.Errorf("%s names no branch; write git:REMOTE#BRANCH, as in git:origin#fuzz-corpus", text)
	}
	p := Place{Remote: rest[:i], Branch: rest[i+1:]}
	if p.Remote == "" {
		p.Remote = "origin"
	}
	return p, nil
}

// String returns the place as the user names it.
func (p Place) String() string {
	if p.Path != "" {
		return p.Path
	}
	return gitScheme + p.Remote + "#" + p.Branch
}

// ErrNone is in the error of [Pull] if a place has nothing of a target yet.
var ErrNone = errors.New("no corpus")

// none is the error of a place that has nothing of a target.
func (p Place) none(c Corpus) error {
	return usage.Errorf("there is %w of %s in %v; gnaw corpus push puts it there", ErrNone, c.Target, p)
}

// pullPath is Pull for the folder or zip at path, which has what the place has.
func pullPath(ctx context.Context, path string, p Place, c Corpus) (r Result, err error) {
	s, err := corpus.OpenSource(path, c.Target, corpus.SourceLimits)
	if errors.Is(err, fs.ErrNotExist) {
		return r, p.none(c)
	}
	if err != nil {
		return r, err
	}
	defer s.Close()
	v1, err := corpus.FormatOf("v1")
	if err != nil {
		return r, err
	}
	codec := corpus.GoTest(nil)
	var list []input.Args
	l, err := s.Load(ctx, v1, codec, func(_ string, a input.Args) error {
		list = append(list, a)
		return nil
	})
	if err != nil {
		return r, err
	}
	r = Result{Inputs: l.Inputs, Skipped: l.Skipped}
	if l.Inputs+len(l.Skipped) == 0 {
		return r, p.none(c)
	}
	saved, err := corpus.Open(c.Dir, codec).SaveAll(list)
	for _, f := range saved {
		if f.IsNew {
			r.New++
		}
	}
	if err != nil {
		return r, fmt.Errorf("pull from %v: %w", p, err)
	}
	return r, nil
}
