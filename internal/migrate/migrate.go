package migrate

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
)

// OldFolder is the folder of replaced files, in the folder that they were in. Neither go test nor gnaw reads it.
const OldFolder = ".old"

// Options say what is migrated.
type Options struct {
	Target  string
	File    string // test file of the target
	To      []regress.Parameter
	Folders []string // of corpus files, which need not be there
	Environ []string
}

// Group is the inputs whose arguments have the same types, other than those of the target.
type Group struct {
	Mapping
	Revision string // git commit in which the target had these types, and that the names of the old arguments are from; empty: there is none
	Files    []File
}

// File is a corpus file.
type File struct {
	Path string
	Err  error // why its arguments do not fit; nil: they do

	old, args input.Args
}

// Fitting returns how many files have arguments that fit.
func (g Group) Fitting() (n int) {
	for _, f := range g.Files {
		if f.Err == nil {
			n++
		}
	}
	return n
}

// Plan finds the inputs that the target no longer takes, and maps their arguments. It writes nothing. damaged are files that cannot be read.
func Plan(ctx context.Context, o Options) (groups []*Group, damaged []corpus.Skipped, err error) {
	to := KindsText(o.To)
	byKinds := map[string]*Group{}
	for _, dir := range o.Folders {
		l, err := corpus.LoadFolder(ctx, dir, func(name string, a input.Args) error {
			key := corpus.KindsText(a.Kinds())
			if key == to {
				return nil
			}
			if byKinds[key] == nil {
				byKinds[key] = &Group{Mapping: Mapping{From: unnamed(a.Kinds())}}
				groups = append(groups, byKinds[key])
			}
			byKinds[key].Files = append(byKinds[key].Files, File{Path: filepath.Join(dir, name), old: a})
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		damaged = append(damaged, l.Skipped...)
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(len(b.Files), len(a.Files)) })
	o.name(ctx, groups)
	for _, g := range groups {
		g.Mapping = Map(g.From, o.To)
		g.apply()
	}
	return groups, damaged, nil
}

// unnamed returns parameters without names.
func unnamed(kinds []input.Kind) []regress.Parameter {
	list := make([]regress.Parameter, len(kinds))
	for i, k := range kinds {
		list[i].Kind = k
	}
	return list
}

// apply computes the new arguments.
func (g *Group) apply() {
	for i := range g.Files {
		f := &g.Files[i]
		f.args, f.Err = g.Args(f.old)
	}
}

// Set replaces the mapping. of has for each new argument the number of an old one, from 1, or 0 for the zero value.
func (g *Group) Set(of []int) error {
	if len(of) != len(g.To) {
		return fmt.Errorf("it has %d numbers, and the target has %d arguments", len(of), len(g.To))
	}
	for i, n := range of {
		switch {
		case n < 0 || n > len(g.From):
			return fmt.Errorf("there is no argument %d in %s", n, KindsText(g.From))
		case n > 0 && !isConvertible(g.From[n-1].Kind, g.To[i].Kind):
			return fmt.Errorf("argument %d of %s cannot be %v", n, KindsText(g.From), g.To[i].Kind)
		}
	}
	for i, n := range of {
		g.Of[i] = n - 1
	}
	g.apply()
	return nil
}

// KindsText returns the types of parameters, as in "([]byte, int)".
func KindsText(list []regress.Parameter) string {
	kinds := make([]input.Kind, len(list))
	for i, p := range list {
		kinds[i] = p.Kind
	}
	return corpus.KindsText(kinds)
}

// maxRevisions is how many commits that changed the test file are looked at for names: each takes a call of git and the check of one file.
const maxRevisions = 50

// name finds the names of the old arguments: those of the newest commit in which the target has their types.
func (o Options) name(ctx context.Context, groups []*Group) {
	if len(groups) == 0 {
		return
	}
	dir, file := filepath.Split(o.File)
	list, err := project.Git(ctx, o.Environ, dir, "log", fmt.Sprint("--max-count=", maxRevisions), "--format=%H", "--", file)
	if err != nil {
		return // there is no repository, or no commit
	}
	open := len(groups)
	for revision := range strings.FieldsSeq(list) {
		source, err := project.Git(ctx, o.Environ, dir, "show", revision+":./"+file)
		if err != nil {
			continue
		}
		params, err := regress.Parameters(o.File, []byte(source), o.Target)
		if err != nil {
			continue
		}
		for _, g := range groups {
			if g.Revision == "" && KindsText(g.From) == KindsText(params) {
				g.From, g.Revision = params, revision
				open--
			}
		}
		if open == 0 {
			return
		}
	}
}

// batch is how many files are written together.
const batch = 256

// Write writes the new inputs of the files that fit, and moves the old files to [OldFolder]. A file that was named by its content gets the
// name of the new content, others keep theirs. It returns how many files it wrote. A process that is killed leaves each old input, and
// Write can run again.
func (g Group) Write() (written int, err error) {
	byFolder := map[string][]File{}
	for _, f := range g.Files {
		if f.Err == nil {
			dir := filepath.Dir(f.Path)
			byFolder[dir] = append(byFolder[dir], f)
		}
	}
	for dir, files := range byFolder {
		if err := disk.CheckLinks(filepath.Join(dir, OldFolder)); err != nil {
			return written, err
		}
		for list := range slices.Chunk(files, batch) {
			if err := replace(dir, list); err != nil {
				return written, err
			}
			written += len(list)
		}
	}
	return written, nil
}

// replace writes the new inputs of files of a folder. The copies of the old files are on the disk before something takes their place.
func replace(dir string, files []File) error {
	var copies, drafts []disk.File
	var gone []string
	for _, f := range files {
		old, err := disk.Read(f.Path, disk.MaxInput)
		if err != nil {
			return disk.Explain("read corpus file", f.Path, err)
		}
		name, data := filepath.Base(f.Path), input.Marshal(f.args)
		copies = append(copies, disk.File{Path: filepath.Join(dir, OldFolder, name), Data: old})
		if name == corpus.Name(old) {
			gone = append(gone, f.Path)
			name = corpus.Name(data)
		}
		drafts = append(drafts, disk.File{Path: filepath.Join(dir, name), Data: data})
	}
	if err := disk.WriteAll(disk.OS{}, filepath.Join(dir, OldFolder), copies); err != nil {
		return disk.Explain("write", err.Path, err)
	}
	if err := disk.WriteAll(disk.OS{}, dir, distinct(drafts)); err != nil {
		return disk.Explain("write", err.Path, err)
	}
	for _, path := range gone {
		if err := os.Remove(path); err != nil {
			return disk.Explain("remove", path, err)
		}
	}
	return nil
}

// distinct returns the files without those that have the path of an earlier one: two inputs may be the same without an argument that went.
func distinct(list []disk.File) (files []disk.File) {
	seen := map[string]bool{}
	for _, f := range list {
		if !seen[f.Path] {
			seen[f.Path] = true
			files = append(files, f)
		}
	}
	return files
}
