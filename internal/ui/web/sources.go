package web

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// noSources is the answer if the history does not have the statements that entries reach.
const noSources = "gnaw does not know which statements the entries reach; run gnaw fuzz -cover or gnaw cover in %s"

// reach is a block with the input that reaches it, and the target of the input.
type reach struct {
	coverage.SourceBlock
	target store.Name
}

// reached returns the blocks of the targets of a campaign, with the sums of the counts of all targets. If key is not empty, it returns the blocks
// of one target. If the campaign counted no statements, the blocks are those of the last gnaw cover.
func (s *data) reached(ctx context.Context, id, key string) (p place, blocks []reach, err error) {
	c, err := s.summary(ctx, id)
	if err != nil {
		return p, nil, err
	}
	if p.module, p.root = c.Module, c.Root; p.root == "" && c.Module == s.Module.Path {
		p.root = s.Module.Root
	}
	pkg, target, ok := readKey(key)
	if key != "" && !ok {
		return p, nil, notFound("%q is not the key of a target", key)
	}
	h, err := s.history()
	if err != nil {
		return p, nil, err
	}
	for _, campaign := range []int64{c.ID, 0} {
		list, err := h.Sources(ctx, campaign, c.Module)
		if err != nil {
			return p, nil, err
		}
		list = slices.DeleteFunc(list, func(one store.Sources) bool { return key != "" && (one.Package != pkg || one.Target != target) })
		if len(list) > 0 {
			return p, merge(list), nil
		}
	}
	return p, nil, notFound(noSources, cmp.Or(p.root, p.module))
}

// merge joins the blocks of targets. It leaves out data that it cannot decode, because another version wrote them.
func merge(list []store.Sources) (all []reach) {
	index := map[coverage.Block]int{}
	for _, one := range list {
		blocks, err := coverage.DecodeSources(one.Data)
		if err != nil {
			continue
		}
		for _, b := range blocks {
			i, ok := index[b.Block]
			if !ok {
				i = len(all)
				index[b.Block] = i
				all = append(all, reach{SourceBlock: coverage.SourceBlock{Block: b.Block}})
			}
			all[i].Count += b.Count
			if all[i].Entry == "" && b.Entry != "" {
				all[i].Entry, all[i].Input, all[i].target = b.Entry, b.Input, store.Name{Package: one.Package, Target: one.Target}
			}
		}
	}
	return all
}

// sourceRow is a source file.
type sourceRow struct {
	File       string `json:"file"`
	Package    string `json:"package"`
	Statements int    `json:"statements"`
	Covered    int    `json:"covered"`
}

// listSources answers with the source files of a campaign or a target. The first file has the most statements that no input reaches.
func (s *data) listSources(r *http.Request) (any, error) {
	_, blocks, err := s.reached(r.Context(), r.FormValue("campaign"), r.FormValue("target"))
	if err != nil {
		return nil, err
	}
	index := map[string]int{}
	rows := []sourceRow{}
	for _, b := range blocks {
		i, ok := index[b.File]
		if !ok {
			i = len(rows)
			index[b.File] = i
			rows = append(rows, sourceRow{File: b.File, Package: b.Package})
		}
		rows[i].Statements += b.Statements
		if b.Count > 0 {
			rows[i].Covered += b.Statements
		}
	}
	slices.SortFunc(rows, func(a, b sourceRow) int {
		return cmp.Or(cmp.Compare(b.Statements-b.Covered, a.Statements-a.Covered), cmp.Compare(a.File, b.File))
	})
	return map[string]any{"files": rows}, nil
}

// sourceLine is a line of a source file.
type sourceLine struct {
	N     int        `json:"n"`
	Text  string     `json:"text"`
	State string     `json:"state"` // empty: it has no statement
	Count int        `json:"count"`
	Entry *lineEntry `json:"entry"`
}

// lineEntry is an input that reaches a line.
type lineEntry struct {
	Name     string   `json:"name"`
	Literals []string `json:"literals"`
	Key      string   `json:"key"` // of its target
	Target   string   `json:"target"`
}

// showSource answers with a source file, and for each line with an input that reaches it. It shows only files that have blocks.
func (s *data) showSource(r *http.Request) (any, error) {
	p, blocks, err := s.reached(r.Context(), r.FormValue("campaign"), r.FormValue("target"))
	if err != nil {
		return nil, err
	}
	file := r.FormValue("file")
	blocks = slices.DeleteFunc(blocks, func(b reach) bool { return b.File != file })
	if len(blocks) == 0 {
		return nil, notFound("no statement of the file %q is known", file)
	}
	text, err := p.source(file, blocks[0].Package)
	if err != nil {
		return nil, err
	}
	return map[string]any{"file": file, "lines": s.lines(r.Context(), r.FormValue("campaign"), text, blocks)}, nil
}

// source returns the text of a source file of the module. name is the import path of its package and its base name.
func (p place) source(name, pkg string) (string, error) {
	if path.Dir(name) != pkg || p.root == "" {
		return "", notFound("gnaw does not know where the file %q is", name)
	}
	rest, ok := strings.CutPrefix(name, p.module+"/")
	if !ok {
		return "", notFound("the file %q is not in the module %s, and is not shown", name, p.module)
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return "", notFound("the folder of the module cannot be opened: %v", err)
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(rest)) // follows no link out of the module
	if err != nil {
		return "", notFound("the file cannot be opened: %v", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > disk.MaxInput {
		return "", notFound("%q is no file that can be shown", name)
	}
	data := new(strings.Builder)
	if _, err := f.WriteTo(data); err != nil {
		return "", notFound("the file cannot be read: %v", err)
	}
	return data.String(), nil
}

// lines returns the lines of a file, each with an input that reaches it in the campaign with an ID.
func (s *data) lines(ctx context.Context, id, text string, blocks []reach) []sourceLine {
	lines := []sourceLine{}
	for line := range strings.Lines(text) {
		lines = append(lines, sourceLine{N: len(lines) + 1, Text: strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD")})
	}
	entries := map[string]*lineEntry{}
	for _, b := range blocks {
		from, to := b.Start.Line, min(b.End.Line, len(lines))
		for n := max(1, from); n <= to; n++ {
			l := &lines[n-1]
			switch {
			case b.Count > 0 && l.State == "uncovered" && n == from && n < to: // the end of the line belongs to the block that begins there
			case b.Count > 0:
				l.State, l.Count = "covered", max(l.Count, b.Count)
				if l.Entry == nil && b.Entry != "" {
					l.Entry = s.lineEntry(ctx, id, entries, b)
				}
			case l.State == "" || n > from && n < to:
				l.State = "uncovered"
			}
		}
	}
	return lines
}

// lineEntry returns the input that reaches a block in the campaign with an ID. known keeps the inputs by target and name, so that each file is read
// once.
func (s *data) lineEntry(ctx context.Context, id string, known map[string]*lineEntry, b reach) *lineEntry {
	key := keyOf(b.target.Package, b.target.Target)
	if e, ok := known[key+"/"+b.Entry]; ok {
		return e
	}
	text := b.Input
	if p, err := s.placeIn(ctx, id, key); err == nil && text == "" {
		_, text = p.read(b.Entry)
	}
	e := &lineEntry{Name: b.Entry, Literals: literals(text), Key: key, Target: b.target.Target}
	known[key+"/"+b.Entry] = e
	return e
}

// linesOfEntry returns the first lines of the blocks for which the sources page shows an input, and the content of the input if the history keeps
// it with the blocks.
func (s *data) linesOfEntry(ctx context.Context, id, key, name string) (lines []entryLine, text string) {
	lines = []entryLine{}
	_, blocks, err := s.reached(ctx, id, key)
	if err != nil {
		return lines, "" // the page says how to get the lines
	}
	for _, b := range blocks {
		if b.Entry == name {
			lines, text = append(lines, entryLine{b.File, b.Start.Line, b.Count}), b.Input
		}
	}
	return lines, text
}
