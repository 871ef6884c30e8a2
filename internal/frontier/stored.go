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
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// Stored has the blocks of a target as the history keeps them.
type Stored struct {
	Target coverage.Target // without folders and conditions
	Blocks coverage.Sources
	Built  time.Time      // when the build began, at the earliest
	Files  coverage.Files // that the blocks are of; a file that is not there is the one that was built if it was not changed after Built
}

// ReadStored returns the blocks of the targets of a campaign from the history: those that the campaign counted or, if it counted none, those that
// the last gnaw cover recorded. If only is not the zero value, it returns those of one target. It leaves out blocks that it cannot decode, because
// another version wrote them. The result is empty if there are none.
func ReadStored(ctx context.Context, history store.Reader, campaign int64, module string, only store.Name) (list []Stored, err error) {
	for _, id := range []int64{campaign, 0} {
		all, err := history.Sources(ctx, id, module)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			if only != (store.Name{}) && only != (store.Name{Package: one.Package, Target: one.Target}) {
				continue
			}
			if blocks, files, err := coverage.DecodeSources(one.Data); err == nil {
				list = append(list, Stored{coverage.Target{Package: one.Package, Name: one.Target}, blocks, one.At, files})
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list, nil
}

// FindStored is [Find] for blocks of the history: it executes nothing and needs no types. Its rows have neither Path, Times, Chain, Compared nor
// Help, and Inputs is the number of inputs of which it is certain that they evaluate the condition, because the history knows only how many
// inputs reach a block. The methods of the result that need inputs must not be called.
//
// A file that read cannot return has no rows. changed has the names of the files that were changed since the blocks were counted, or that do
// not fit the blocks, sorted; they have no rows either.
func FindStored(list []Stored, read coverage.ReadSource) (f *Frontier, changed []string) {
	f = &Frontier{reach: storedOf(list)}
	targets := byFile(list)
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
		} else {
			changed = append(changed, file)
		}
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
