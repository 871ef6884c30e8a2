package frontier

import (
	"context"
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
	Built  time.Time // a file that was changed later does not have these blocks
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
			if blocks, err := coverage.DecodeSources(one.Data); err == nil {
				list = append(list, Stored{coverage.Target{Package: one.Package, Name: one.Target}, blocks, one.At})
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
// read returns the content of a source file, and when it was changed. pkg and file are the Package and the File of a [coverage.Block]. A file that
// read cannot return has no rows. changed has the names of the files that were changed after the blocks were counted, or that do not fit the
// blocks, sorted; they have no rows either.
func FindStored(list []Stored, read func(pkg, file string) (text []byte, changed time.Time, err error)) (f *Frontier, changed []string) {
	f = &Frontier{reach: storedOf(list)}
	built := builtOf(list)
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
		if s := parseSource(pkg, path.Base(file), text); s != nil && !at.After(built[file]) && s.fits(hits) {
			f.addRows(s)
		} else {
			changed = append(changed, file)
		}
	}
	f.sort()
	return f, changed
}

// builtOf returns the earliest time at which blocks of each file were built.
func builtOf(list []Stored) map[string]time.Time {
	all := map[string]time.Time{}
	for _, t := range list {
		for _, b := range t.Blocks {
			if at, ok := all[b.File]; !ok || t.Built.Before(at) {
				all[b.File] = t.Built
			}
		}
	}
	return all
}

// parseSource parses a file without types. It returns nil if the file does not parse.
func parseSource(pkg, name string, text []byte) *source {
	s := &source{path: pkg, fset: token.NewFileSet(), texts: map[string][]byte{name: text}, info: types.Info{}}
	tree, err := parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s.files = map[string]*ast.File{name: tree}
	return s
}
