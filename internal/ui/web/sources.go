package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// noSources is the answer if the history does not have the statements that entries reach.
const noSources = "gnaw does not know which statements the entries reach; run gnaw fuzz -cover or gnaw cover in %s"

// reach is a block with the input that reaches it, and the target of the input.
type reach struct {
	coverage.SourceBlock
	target fuzz.Name
}

// stored returns what the history has about the statements that the targets of a campaign reach. If key is not empty, it returns that of one
// target. If the campaign counted no statements, it returns what the last gnaw cover or gnaw frontier recorded.
func (s *data) stored(ctx context.Context, id, key string) (m project.Module, h frontier.History, err error) {
	c, err := s.summary(ctx, id)
	if err != nil {
		return m, h, err
	}
	if m = (project.Module{Path: c.Module, Root: c.Root}); m.Root == "" && c.Module == s.Module.Path {
		m.Root = s.Module.Root
	}
	target, ok := readKey(key)
	if key != "" && !ok {
		return m, h, notFound("%q is not the key of a target", key)
	}
	history, err := s.history()
	if err != nil {
		return m, h, err
	}
	h, err = frontier.ReadStored(ctx, history, c.ID, c.Module, target)
	if err == nil && len(h.Targets) == 0 {
		err = notFound(noSources, cmp.Or(m.Root, m.Path))
	}
	return m, h, err
}

// merge joins the blocks of targets.
func merge(list []frontier.Stored) (all []reach) {
	index := map[coverage.Block]int{}
	for _, one := range list {
		for _, b := range one.Blocks {
			i, ok := index[b.Block]
			if !ok {
				i = len(all)
				index[b.Block] = i
				all = append(all, reach{SourceBlock: coverage.SourceBlock{Block: b.Block}})
			}
			all[i].Count += b.Count
			if all[i].Entry == "" && b.Entry != "" {
				all[i].Entry, all[i].Input, all[i].target = b.Entry, b.Input, one.Target
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
	Branches   int    `json:"branches"` // with a side that no input takes
}

// sourceList is the source files of a campaign or a target. The first file has the most statements that no input reaches.
type sourceList struct {
	Files []sourceRow `json:"files"`
}

func (s *data) listSources(r *http.Request) (sourceList, error) {
	id, key := r.FormValue("campaign"), r.FormValue("target")
	_, h, err := s.stored(r.Context(), id, key)
	if err != nil {
		return sourceList{}, err
	}
	found, err := s.frontiers.of(r.Context(), s, id, key)
	if err != nil {
		return sourceList{}, err
	}
	index := map[string]int{}
	rows := []sourceRow{}
	for _, b := range merge(h.Targets) {
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
	for _, b := range found.rows {
		if i, ok := index[b.File]; ok {
			rows[i].Branches++
		}
	}
	slices.SortFunc(rows, func(a, b sourceRow) int {
		return cmp.Or(cmp.Compare(b.Statements-b.Covered, a.Statements-a.Covered), cmp.Compare(a.File, b.File))
	})
	return sourceList{rows}, nil
}

// sourceLine is a line of a source file.
type sourceLine struct {
	N     int        `json:"n"`
	Text  string     `json:"text"`
	State lineState  `json:"state"`
	Count int        `json:"count"`
	Entry *lineEntry `json:"entry"`
	// Branches are those whose condition begins in the line, and of which no input takes a side.
	Branches []branchRow `json:"branches,omitempty"`
}

// lineState says whether an input reaches the statements of a line.
type lineState string

const (
	noStatement lineState = ""
	covered     lineState = "covered"
	uncovered   lineState = "uncovered"
)

// lineEntry is an input that reaches a line.
type lineEntry struct {
	Name     string   `json:"name"`
	Literals []string `json:"literals"`
	Key      string   `json:"key"` // of its target
	Target   string   `json:"target"`
}

// sourcePage is a source file, and for each line an input that reaches it.
type sourcePage struct {
	File    string       `json:"file"`
	Lines   []sourceLine `json:"lines"`
	Changed bool         `json:"changed"` // after its statements were counted
}

// showSource shows only files that have blocks.
func (s *data) showSource(r *http.Request) (sourcePage, error) {
	id := r.FormValue("campaign")
	m, h, err := s.stored(r.Context(), id, r.FormValue("target"))
	if err != nil {
		return sourcePage{}, err
	}
	file := r.FormValue("file")
	blocks := slices.DeleteFunc(merge(h.Targets), func(b reach) bool { return b.File != file })
	if len(blocks) == 0 {
		return sourcePage{}, notFound("no statement of the file %q is known", file)
	}
	text, _, err := m.ReadSource(blocks[0].Package, file)
	if err != nil {
		return sourcePage{}, notFound("%v", err)
	}
	lines := s.lines(r.Context(), id, string(text), blocks)
	found, err := s.frontiers.of(r.Context(), s, id, r.FormValue("target"))
	if err != nil {
		return sourcePage{}, err
	}
	for _, b := range found.rows {
		if b.File == file && b.Line <= len(lines) { // the file may be a newer one
			lines[b.Line-1].Branches = append(lines[b.Line-1].Branches, b)
		}
	}
	return sourcePage{file, lines, slices.Contains(found.changed, file)}, nil
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
			case b.Count > 0 && l.State == uncovered && n == from && n < to: // the end of the line belongs to the block that begins there
			case b.Count > 0:
				l.State, l.Count = covered, max(l.Count, b.Count)
				if l.Entry == nil && b.Entry != "" {
					l.Entry = s.lineEntry(ctx, id, entries, b)
				}
			case l.State == noStatement || n > from && n < to:
				l.State = uncovered
			}
		}
	}
	return lines
}

// lineEntry returns the input that reaches a block in the campaign with an ID. known keeps the inputs by target and name, so that each file is read
// once.
func (s *data) lineEntry(ctx context.Context, id string, known map[string]*lineEntry, b reach) *lineEntry {
	key := keyOf(b.target)
	if e, ok := known[key+"/"+b.Entry]; ok {
		return e
	}
	text := b.Input
	if p, err := s.placeIn(ctx, id, key); err == nil && text == "" {
		_, text = p.read(b.Entry)
	}
	e := &lineEntry{Name: b.Entry, Literals: literals(text), Key: key, Target: b.target.Func}
	known[key+"/"+b.Entry] = e
	return e
}

// linesOfEntry returns the first lines of the blocks for which the sources page shows an input, and the content of the input if the history keeps
// it with the blocks.
func (s *data) linesOfEntry(ctx context.Context, id, key, name string) (lines []entryLine, text string) {
	lines = []entryLine{}
	_, h, err := s.stored(ctx, id, key)
	if err != nil {
		return lines, "" // the page says how to get the lines
	}
	for _, b := range merge(h.Targets) {
		if b.Entry == name {
			lines, text = append(lines, entryLine{b.File, b.Start.Line, b.Count}), b.Input
		}
	}
	return lines, text
}
