package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/migrate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// statJSON is the JSON form of what `gnaw corpus stat` prints.
type statJSON struct {
	corpusOf
	Types   *string      `json:"types"` // of the target, as in "([]byte, int)"; null: the source does not tell them
	Folders []folderJSON `json:"folders"`
}

// folderJSON is a folder with inputs.
type folderJSON struct {
	What   string           `json:"what"` // seeds or corpus
	Path   string           `json:"path"`
	Files  int              `json:"files"`
	Bytes  int64            `json:"bytes"` // of the files
	Inputs []tupleJSON      `json:"inputs"`
	Left   []corpus.Skipped `json:"skipped"` // files that cannot be read
}

// tupleJSON is the inputs with arguments of the same types.
type tupleJSON struct {
	Types     string `json:"types"`
	Count     int    `json:"count"`
	Bytes     int    `json:"bytes"`     // of the arguments, as those below
	Largest   int    `json:"largest"`   // input
	Arguments []int  `json:"arguments"` // bytes of each argument in all
	Fits      *bool  `json:"fits"`      // they are those of the target; null: it is not known
}

// corpusStat is `gnaw corpus stat`.
func corpusStat(ctx context.Context, c *corpusCommand) error {
	stat := statJSON{corpusOf: c.about()}
	if params := c.known(); params != nil {
		types := migrate.KindsText(params)
		stat.Types = &types
	}
	for _, f := range []folderJSON{{What: "seeds", Path: c.folders.Seeds}, {What: "corpus", Path: c.folders.Corpus}} {
		if err := f.count(ctx, stat.Types); err != nil {
			return err
		}
		stat.Folders = append(stat.Folders, f)
	}
	if c.json {
		return writeJSON(c.env.Stdout, stat)
	}
	c.printStat(stat)
	return nil
}

// count counts the files. types are those of the target; nil: they are not known.
func (f *folderJSON) count(ctx context.Context, types *string) error {
	tuples := map[string]*tupleJSON{}
	l, err := corpus.LoadFolder(ctx, f.Path, func(name string, a input.Args) error {
		if info, err := os.Stat(filepath.Join(f.Path, name)); err == nil {
			f.Bytes += info.Size()
		}
		text := corpus.KindsText(a.Kinds())
		t := tuples[text]
		if t == nil {
			t = &tupleJSON{Types: text, Arguments: make([]int, len(a))}
			if types != nil {
				fits := text == *types
				t.Fits = &fits
			}
			tuples[text] = t
		}
		t.Count++
		t.Bytes += a.Size()
		t.Largest = max(t.Largest, a.Size())
		for i := range a {
			t.Arguments[i] += a[i : i+1].Size()
		}
		return nil
	})
	f.Files, f.Left, f.Inputs = l.Inputs+len(l.Skipped), l.Skipped, []tupleJSON{}
	for _, t := range tuples {
		f.Inputs = append(f.Inputs, *t)
	}
	slices.SortFunc(f.Inputs, func(a, b tupleJSON) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Types, b.Types))
	})
	if f.Left == nil {
		f.Left = []corpus.Skipped{}
	}
	return err
}

func (c *corpusCommand) printStat(stat statJSON) {
	out := c.env.Stdout
	fmt.Fprintf(out, "%s of %s", stat.Target, stat.Package)
	if stat.Types != nil {
		fmt.Fprintf(out, " takes %s", *stat.Types)
	}
	fmt.Fprintln(out)
	for _, f := range stat.Folders {
		fmt.Fprintf(out, "%-6s  %s: %s, %s\n", f.What, project.Relative(c.env.Dir, f.Path), report.Plural(f.Files, "file"), oracle.Size(uint64(f.Bytes)))
		for _, t := range f.Inputs {
			remark := ""
			if t.Fits != nil && !*t.Fits {
				remark = "; the target does not take them, see gnaw corpus migrate"
			}
			fmt.Fprintf(out, "\t%s %s: %s, the largest has %s%s\n", report.Plural(t.Count, "input"), t.Types, oracle.Size(uint64(t.Bytes)), oracle.Size(uint64(t.Largest)), remark)
		}
		c.printSkipped(f.Left)
	}
}
