package frontier

import (
	"context"
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Stored has the blocks of a target as the history keeps them.
type Stored struct {
	Target fuzz.Name
	Blocks coverage.Sources
	Built  time.Time      // when the build began, at the earliest
	Files  coverage.Files // that the blocks are of; a file that is not there is the one that was built if it was not changed after Built
}

// History is what the history has about the branches of a campaign.
type History struct {
	Targets []Stored
	Kept    *Kept // what gnaw frontier found in the same state or, if there is nothing, the last time; nil: nothing
}

// ReadStored returns the blocks of the targets of a campaign from the history: those that the campaign counted or, if it counted none, those that
// the last gnaw cover or gnaw frontier recorded. If only is not the zero value, it returns those of one target. It leaves out what it cannot decode,
// because another version wrote it. Without blocks, the result has no targets.
func ReadStored(ctx context.Context, history store.Reader, campaign int64, module string, only fuzz.Name) (h History, err error) {
	for _, id := range []int64{campaign, 0} {
		all, err := history.Sources(ctx, id, module)
		if err != nil {
			return h, err
		}
		for _, one := range all {
			if only != (fuzz.Name{}) && only != one.Target {
				continue
			}
			if blocks, files, err := coverage.DecodeSources(one.Data); err == nil {
				h.Targets = append(h.Targets, Stored{one.Target, blocks, one.At, files})
			}
		}
		if len(h.Targets) > 0 {
			break
		}
	}
	data, err := history.Frontier(ctx, module, State(h.Targets))
	if err != nil || data == nil {
		return h, err
	}
	if kept, err := decodeKept(data); err == nil {
		h.Kept = kept
	}
	return h, nil
}

// FindStored finds the rows from the blocks of the history. It executes nothing and needs no types. If gnaw frontier has found rows in the state of
// the blocks, these are the rows. Otherwise they have no Path and no Times, and Inputs is the number of inputs of which it is certain that they
// evaluate the condition, because the history knows only how many inputs reach a block; what gnaw frontier has found about the same condition in
// another state stands in Chain, Compared and Help. [Frontier.Kept] says which of both it is. The methods of the result that need inputs must not be
// called.
//
// A file that read cannot return has no rows. changed has the names of the files that were changed since the blocks were counted, sorted; they have
// no rows either.
func FindStored(h History, read coverage.ReadSource) (f *Frontier, changed []string) {
	f = &Frontier{reach: storedOf(h.Targets)}
	targets, sums := byFile(h.Targets), coverage.Files{}
	for _, file := range slices.Sorted(maps.Keys(f.reach.files)) {
		hits := f.reach.files[file]
		pkg := hits[0].Package
		if path.Dir(file) != pkg {
			continue // code behind a //line directive
		}
		text, at, err := read(pkg, file)
		if err != nil {
			continue
		}
		if s := parseSource(pkg, path.Base(file), text); s != nil && areBlocksOf(targets[file], file, text, at) {
			f.addRows(s)
			sums[file] = sha256.Sum256(text)
		} else {
			changed = append(changed, file)
		}
	}
	if h.Kept != nil {
		f.join(h.Kept, sums, h.Kept.State == State(h.Targets))
	}
	f.sort()
	return f, changed
}

// byFile returns the targets that have blocks of each file.
func byFile(list []Stored) map[string][]*Stored {
	all := map[string][]*Stored{}
	for i := range list {
		for _, b := range list[i].Blocks {
			if of := all[b.File]; len(of) == 0 || of[len(of)-1] != &list[i] {
				all[b.File] = append(of, &list[i])
			}
		}
	}
	return all
}

// areBlocksOf reports whether the blocks that targets have of a file are those of its content now. at is when the file was changed.
func areBlocksOf(targets []*Stored, file string, text []byte, at time.Time) bool {
	sum := sha256.Sum256(text)
	for _, t := range targets {
		was, ok := t.Files[file]
		if ok && was != sum || !ok && at.After(t.Built) {
			return false
		}
	}
	return true
}

// parseSource parses a file without types. It returns nil if the file does not parse.
func parseSource(pkg, name string, text []byte) *source {
	s := &source{path: pkg, fset: token.NewFileSet(), texts: map[string][]byte{name: text}, info: &types.Info{}}
	tree, err := parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s.files = map[string]*ast.File{name: tree}
	return s
}
