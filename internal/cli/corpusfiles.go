package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// takenJSON is the JSON form of what `gnaw corpus import` and `gnaw corpus merge` print.
type takenJSON struct {
	corpusOf
	Folder  string       `json:"folder"` // where the inputs are now
	New     int          `json:"new"`    // inputs that were not there
	Sources []sourceJSON `json:"sources"`
}

// sourceJSON is a folder or zip that inputs come from.
type sourceJSON struct {
	Path    string           `json:"path"`
	Format  string           `json:"format"`
	Inputs  int              `json:"inputs"`
	New     int              `json:"new"`
	Ignored int              `json:"ignored"` // files that the fuzzer keeps beside its inputs
	Skipped []corpus.Skipped `json:"skipped"`
}

// corpusImport is `gnaw corpus import`.
func corpusImport(ctx context.Context, c *corpusCommand) error {
	return c.take(ctx, func(s *corpus.Source, kinds []input.Kind) (corpus.Format, error) {
		if c.format != nil {
			return *c.format, nil
		}
		f, err := s.Detect(kinds)
		if err != nil {
			return f, usagef("%w; write -format=ossfuzz-v1 if OSS-Fuzz built the target by compile_native_go_fuzzer, or -format=ossfuzz-v2 for "+
				"compile_native_go_fuzzer_v2", err)
		}
		return f, nil
	})
}

// corpusMerge is `gnaw corpus merge`.
func corpusMerge(ctx context.Context, c *corpusCommand) error {
	return c.take(ctx, func(*corpus.Source, []input.Kind) (corpus.Format, error) { return corpus.FormatOf("v1") })
}

// take saves the inputs of the sources that the arguments name, each of the format that a function returns.
func (c *corpusCommand) take(ctx context.Context, formatOf func(*corpus.Source, []input.Kind) (corpus.Format, error)) error {
	kinds, err := c.kinds(ctx)
	if err != nil {
		return err
	}
	taken := takenJSON{corpusOf: c.about(), Folder: c.folders.Corpus}
	if c.out != "" {
		taken.Folder = c.env.Abs(c.out)
	}
	store := corpus.Open(taken.Folder, corpus.GoTest(kinds))
	for _, name := range c.args {
		s, err := c.source(ctx, name, kinds, formatOf, store)
		if err != nil {
			return err
		}
		taken.Sources = append(taken.Sources, s)
		taken.New += s.New
	}
	if c.json {
		return writeJSON(c.env.Stdout, taken)
	}
	for _, s := range taken.Sources {
		fmt.Fprintf(c.env.Stdout, "%s: %s in the format %s, %d new", s.Path, report.Plural(s.Inputs, "input"), s.Format, s.New)
		if s.Ignored > 0 {
			fmt.Fprintf(c.env.Stdout, ", %s ignored that lie beside them", report.Plural(s.Ignored, "file"))
		}
		fmt.Fprintln(c.env.Stdout)
		c.printSkipped(s.Skipped)
	}
	fmt.Fprintf(c.env.Stdout, "%s added to %s\n", report.Plural(taken.New, "input"), taken.Folder)
	return nil
}

// source saves the inputs of one source in a store.
func (c *corpusCommand) source(
	ctx context.Context, name string, kinds []input.Kind, formatOf func(*corpus.Source, []input.Kind) (corpus.Format, error), store corpus.Store,
) (got sourceJSON, err error) {
	s, err := corpus.OpenSource(c.env.Abs(name), "", corpus.SourceLimits)
	if errors.Is(err, fs.ErrNotExist) {
		return got, usagef("there is no folder or zip %s", name)
	}
	if err != nil {
		return got, usagef("%w", err)
	}
	defer s.Close()
	format, err := formatOf(s, kinds)
	if err != nil {
		return got, err
	}
	codec, err := format.Codec(kinds)
	if err != nil {
		return got, usagef("%w", err)
	}
	var list []input.Args
	l, err := s.Load(ctx, format, codec, func(_ string, a input.Args) error {
		list = append(list, a)
		return nil
	})
	if err != nil {
		return got, err
	}
	saved, err := store.SaveAll(list)
	if err != nil {
		return got, err
	}
	got = sourceJSON{Path: name, Format: format.Name, Inputs: l.Inputs, Ignored: l.Ignored, Skipped: l.Skipped}
	for _, f := range saved {
		if f.IsNew {
			got.New++
		}
	}
	return got, nil
}

// exportJSON is the JSON form of what `gnaw corpus export` prints.
type exportJSON struct {
	corpusOf
	Dest    string           `json:"dest"`
	Format  string           `json:"format"`
	Inputs  int              `json:"inputs"` // that the target has
	New     int              `json:"new"`    // files that were not there
	Skipped []corpus.Skipped `json:"skipped"`
}

// corpusExport is `gnaw corpus export`.
func corpusExport(ctx context.Context, c *corpusCommand) error {
	kinds, err := c.kinds(ctx)
	if err != nil {
		return err
	}
	format, err := corpus.FormatOf("v1")
	if c.format != nil {
		format = *c.format
	}
	if err != nil {
		return err
	}
	codec, err := format.Codec(kinds)
	if err != nil {
		return usagef("%w", err)
	}
	e := exportJSON{corpusOf: c.about(), Dest: c.args[0], Format: format.Name}
	var folders []string
	if c.by != coverage.Corpus {
		folders = append(folders, c.folders.Seeds)
	}
	if c.by != coverage.Seeds {
		folders = append(folders, c.folders.Corpus)
	}
	list, skipped, err := inputsOf(ctx, folders, kinds)
	if err != nil {
		return err
	}
	if e.Inputs = len(list); e.Inputs == 0 {
		c.printSkipped(skipped)
		return usagef("%s has no inputs in %s; fuzz it first", c.target.Func, strings.Join(folders, " and "))
	}
	added, unfit, err := corpus.Export(c.env.Abs(e.Dest), format, codec, list)
	if err != nil {
		return err
	}
	e.New, e.Skipped = added, append(skipped, unfit...)
	if c.json {
		return writeJSON(c.env.Stdout, e)
	}
	c.printSkipped(e.Skipped)
	fmt.Fprintf(c.env.Stdout, "%s in the format %s: %s, %d new\n", e.Dest, e.Format, report.Plural(e.Inputs-len(unfit), "input"), e.New)
	return nil
}

// inputsOf returns the inputs in folders that have arguments of the kinds, and the other files.
func inputsOf(ctx context.Context, folders []string, kinds []input.Kind) (list []corpus.Entry, skipped []corpus.Skipped, err error) {
	skipped = []corpus.Skipped{}
	for _, dir := range folders {
		fitting, others, err := corpus.LoadFitting(ctx, dir, kinds)
		if err != nil {
			return nil, nil, err
		}
		list, skipped = append(list, fitting...), append(skipped, others...)
	}
	return list, skipped, nil
}
