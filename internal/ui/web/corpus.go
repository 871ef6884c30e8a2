package web

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// place is a target with the folders of its inputs.
type place struct {
	fuzz.Name
	module string // its path
	root   string // absolute folder of the module; empty: unknown
	cache  string // GOCACHE; empty: unknown
}

// placeIn returns the place of the target with a key in a campaign.
func (s *data) placeIn(ctx context.Context, id, key string) (p place, err error) {
	var ok bool
	if p.Name, ok = readKey(key); !ok {
		return p, notFound("%q is not the key of a target", key)
	}
	if s.isLive(id) {
		p.module, p.root, p.cache = s.Module.Path, s.Module.Root, s.Live.cache
		return p, nil
	}
	c, err := s.summary(ctx, id)
	p.module, p.root, p.cache = c.Module, c.Root, c.Cache
	return p, err
}

// corpus returns the folder of the corpus; empty: unknown.
func (p place) corpus() string {
	if p.cache == "" {
		return ""
	}
	return filepath.Join(p.cache, "fuzz", filepath.FromSlash(p.Package), p.Func)
}

// seeds returns the folder of the seeds; empty: unknown.
func (p place) seeds() string {
	rest, ok := strings.CutPrefix(p.Package+"/", p.module+"/")
	if p.root == "" || !ok {
		return ""
	}
	return filepath.Join(p.root, filepath.FromSlash(rest), "testdata", "fuzz", p.Func)
}

// entryRow is an entry of a corpus.
type entryRow struct {
	Name      string   `json:"name"`
	Size      int64    `json:"size"` // bytes of its file
	At        string   `json:"at"`
	Edges     *int     `json:"edges"`   // new ones when the entry was found; nil: unknown
	Buckets   *int     `json:"buckets"` // new ones when the entry was found; nil: unknown
	Literals  []string `json:"literals"`
	Technique string   `json:"technique"`

	at time.Time
}

const (
	newestEntries = 50       // on the page of a target
	maxEntries    = 500      // in one answer
	maxLiteral    = 300      // bytes of an argument in a list
	maxShown      = 64 << 10 // bytes of an argument on the page of its input
)

// corpusPage is entries of the corpus of a target, the newest first.
type corpusPage struct {
	Total   int        `json:"total"` // of all pages
	Entries []entryRow `json:"entries"`
}

func (s *data) listCorpus(r *http.Request) (corpusPage, error) {
	p, err := s.placeIn(r.Context(), r.PathValue("id"), r.PathValue("key"))
	if err != nil {
		return corpusPage{}, err
	}
	offset, err := number(r, "offset", 0, 1<<30)
	if err != nil {
		return corpusPage{}, err
	}
	limit, err := number(r, "limit", newestEntries, maxEntries)
	if err != nil {
		return corpusPage{}, err
	}
	total, entries, err := s.corpus(r.Context(), p, r.FormValue("q"), offset, limit)
	return corpusPage{total, entries}, err
}

// corpus returns entries of the corpus of a target whose names contain q, the newest first, and the number of all such entries.
func (s *data) corpus(ctx context.Context, p place, q string, offset, limit int) (total int, rows []entryRow, err error) {
	rows = []entryRow{}
	files, err := os.ReadDir(p.corpus())
	switch {
	case p.corpus() == "", errors.Is(err, fs.ErrNotExist):
		return 0, rows, nil
	case err != nil:
		return 0, nil, err
	}
	brought := map[string]store.Entry{}
	if h, err := s.history(); err == nil {
		list, err := h.Entries(ctx, p.module, p.Name)
		if err != nil {
			return 0, nil, err
		}
		for _, e := range list {
			brought[e.File] = e
		}
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() || !isFile(f.Name()) || !strings.Contains(f.Name(), q) {
			continue
		}
		row := entryRow{Name: f.Name(), Size: info.Size(), at: info.ModTime()}
		if e, ok := brought[f.Name()]; ok {
			row.at, row.Edges, row.Buckets, row.Technique = e.At, &e.Edges, &e.Buckets, e.Technique
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b entryRow) int {
		if c := b.at.Compare(a.at); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	total = len(rows)
	rows = rows[min(offset, total):min(offset+limit, total)]
	for i := range rows {
		rows[i].At, rows[i].Literals = stamp(rows[i].at), []string{}
		if text, err := readEntry(p.corpus(), rows[i].Name); err == nil { // the file may be gone
			rows[i].Literals = literals(text)
		}
	}
	return total, rows, nil
}

// readEntry reads a file of a folder of inputs. The name comes from a request: it must be that of a regular file in the folder, and not of a
// link.
func readEntry(dir, name string) (string, error) {
	if dir == "" || !isFile(name) {
		return "", fs.ErrNotExist
	}
	file := filepath.Join(dir, name)
	info, err := os.Lstat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	text, err := disk.Read(file, disk.MaxInput)
	return string(text), err
}

// read returns the path and the content of an input of the target in the corpus or in testdata. Both are empty if there is no such file.
func (p place) read(name string) (path, text string) {
	for _, dir := range []string{p.corpus(), p.seeds()} {
		if text, err := readEntry(dir, name); err == nil {
			return filepath.Join(dir, name), text
		}
	}
	return "", ""
}

// literals returns the arguments in a corpus file as Go expressions. It cuts long ones.
func literals(text string) []string {
	if _, err := input.Unmarshal([]byte(text)); err != nil {
		return []string{}
	}
	list := report.Literals(text)
	for i, l := range list {
		list[i] = clip(l, maxLiteral)
	}
	return list
}

// clip returns at most the first limit bytes of a text. An ellipsis follows if there are more.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// argument is an argument of an input.
type argument struct {
	Kind    string `json:"kind"`
	Literal string `json:"literal"`
	Hex     string `json:"hex"`           // the first maxShown bytes of a string or a []byte
	Cut     bool   `json:"cut,omitempty"` // there are more bytes
}

// arguments returns the arguments in a corpus file. There are none if the text is not that of a corpus file.
func arguments(text string) []argument {
	list := []argument{}
	args, err := input.Unmarshal([]byte(text))
	if err != nil {
		return list
	}
	whole := report.Literals(text)
	for i, v := range args {
		a := argument{Kind: v.Kind.String()}
		if i < len(whole) {
			a.Literal = whole[i]
		}
		if v.Kind.IsBuffer() {
			data := v.Data[:min(len(v.Data), maxShown)]
			a.Hex, a.Cut = hex.EncodeToString(data), len(v.Data) > maxShown
		}
		list = append(list, a)
	}
	return list
}

// entryLine is the first line of a block for which the sources page shows an entry.
type entryLine struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Count int    `json:"count"`
}

// entryPage is an input of a target: an entry of the corpus, a seed in testdata, or an input that the history keeps with the coverage. An input
// that is only in the history has no path: it comes from F.Add, or its file has been removed.
type entryPage struct {
	Name  string      `json:"name"`
	Path  string      `json:"path"`
	Size  int         `json:"size"`
	Args  []argument  `json:"args"`
	Lines []entryLine `json:"lines"`
}

func (s *data) showEntry(r *http.Request) (entryPage, error) {
	id, key, name := r.FormValue("campaign"), r.PathValue("key"), r.PathValue("name")
	p, err := s.placeIn(r.Context(), id, key)
	if err != nil {
		return entryPage{}, err
	}
	lines, text := s.linesOfEntry(r.Context(), id, key, name)
	path, kept := p.read(name)
	if path != "" {
		text = kept
	}
	if text == "" {
		return entryPage{}, notFound("%s has no input %q in its corpus or its seeds", p.Func, name)
	}
	return entryPage{name, path, len(text), arguments(text), lines}, nil
}
