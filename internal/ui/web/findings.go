package web

import (
	"context"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// around is the number of lines of source that a page shows before and after the line of a call.
const around = 5

// describer makes events of the records of a module.
type describer struct {
	module  project.Module
	dir     string // for commands
	known   known.List
	ids     []string
	produce func(r finding.Record, short string, o report.Options, list known.List) event.Finding
}

// describer returns the describer of a module. ids are those of all its findings.
func (s *data) describer(ctx context.Context, module string, ids []string) describer {
	d := describer{module: project.Module{Path: module}, dir: s.Dir, ids: ids, produce: s.Describe}
	if module == s.Module.Path {
		d.module = s.Module
	} else if h, err := s.history(); err == nil {
		if c, ok, err := h.LastOf(ctx, module); err == nil && ok {
			d.module.Root, d.dir = c.Root, c.Root
		}
	}
	if d.module.Root != "" {
		d.known, _ = known.Load(d.module.Root) // with a list that cannot be read, no finding is known; gnaw fuzz reports the error
	}
	return d
}

func (d describer) event(r finding.Record) event.Finding {
	return d.produce(r, finding.Short(r.ID, d.ids), d.options(r), d.known)
}

func (d describer) options(r finding.Record) report.Options {
	return report.Options{Root: d.module.Root, Dir: d.dir, ID: finding.Short(r.ID, d.ids)}
}

// findingList is the findings of a module, or of all modules.
type findingList struct {
	Findings []findingRow `json:"findings"`
}

func (s *data) listFindings(r *http.Request) (findingList, error) {
	h, err := s.history()
	if err != nil {
		return findingList{}, err
	}
	modules := []string{r.FormValue("module")}
	if modules[0] == "" {
		if modules, err = h.Modules(r.Context()); err != nil {
			return findingList{}, err
		}
	}
	rows := []findingRow{}
	for _, module := range modules {
		all, err := h.Findings(r.Context(), module)
		if err != nil {
			return findingList{}, err
		}
		d := s.describer(r.Context(), module, store.IDs(all))
		for _, one := range all {
			rows = append(rows, rowOfFinding(d.event(one), module))
		}
	}
	return findingList{rows}, nil
}

// findingsOf returns the findings that a campaign of the history saw.
func (s *data) findingsOf(ctx context.Context, c store.Summary) (list []event.Finding, err error) {
	h, err := s.history()
	if err != nil {
		return nil, err
	}
	seen, err := h.Sightings(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	if len(seen) == 0 {
		return nil, nil
	}
	all, err := h.Findings(ctx, c.Module)
	if err != nil {
		return nil, err
	}
	d := s.describer(ctx, c.Module, store.IDs(all))
	for _, one := range all {
		if slices.Contains(seen, one.ID) {
			list = append(list, d.event(one))
		}
	}
	return list, nil
}

// frame is a call of a finding with its source.
type frame struct {
	File     string   `json:"file"`
	Function string   `json:"function"`
	Line     int      `json:"line"`
	First    int      `json:"first_line"` // number of the first element of lines; 0: there is no source
	Lines    []string `json:"lines"`
}

// minimised says how much smaller the input became.
type minimised struct {
	From    int     `json:"from"` // bytes
	To      int     `json:"to"`
	Seconds float64 `json:"seconds"`
}

// findingPage is all of a finding.
type findingPage struct {
	event.Finding
	Module    string     `json:"module"`
	Root      string     `json:"root"` // folder in which the commands work; empty: the working directory
	Source    []frame    `json:"source"`
	Args      []argument `json:"args"`
	Minimised minimised  `json:"minimised"`
	Commands  commands   `json:"commands"`
	Counts    bool       `json:"counts"`
}

// commands are commands for the shell about a finding.
type commands struct {
	Rerun   string `json:"rerun"`
	Regress string `json:"regress"`
	Known   string `json:"known"`
}

func (s *data) showFinding(r *http.Request) (findingPage, error) {
	one, d, err := s.finding(r.Context(), r.PathValue("id"))
	if err != nil {
		return findingPage{}, err
	}
	e := d.event(one)
	page := findingPage{
		Finding: e, Module: d.module.Path, Root: d.module.Root, Source: []frame{}, Args: arguments(e.Input), Counts: e.IsBug(),
		Minimised: minimised{one.Original, one.Size, one.Minimize},
		Commands:  commands{e.Rerun, "gnaw regress " + e.Short, "gnaw known add " + e.Short + " -reason 'why it is not fixed yet'"},
	}
	for _, c := range one.Calls {
		f := frame{File: filepath.ToSlash(c.File), Function: c.Func, Line: c.Line, Lines: []string{}}
		if lines, first := d.options(one).Excerpt(one, c, around); len(lines) > 0 {
			f.First, f.Lines = first, lines
		}
		page.Source = append(page.Source, f)
	}
	return page, nil
}

// finding returns the finding with an ID, of any module.
func (s *data) finding(ctx context.Context, id string) (finding.Record, describer, error) {
	h, err := s.history()
	if err != nil {
		return finding.Record{}, describer{}, err
	}
	modules, err := h.Modules(ctx)
	if err != nil {
		return finding.Record{}, describer{}, err
	}
	for _, module := range modules {
		all, err := h.Findings(ctx, module)
		if err != nil {
			return finding.Record{}, describer{}, err
		}
		if one, err := store.Pick(all, id); err == nil {
			return one, s.describer(ctx, module, store.IDs(all)), nil
		}
	}
	return finding.Record{}, describer{}, notFound("the history has no finding %q", id)
}
