package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/frontier"
)

const (
	maxBranches = 200 // in the list
	maxChanged  = 20  // files that the list names
)

// branchRow is a branch with a side that no input takes.
type branchRow struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Function string   `json:"function"`
	Sentence string   `json:"sentence"` // the condition, and what never happens
	Details  []string `json:"details"`  // statements behind the side, and inputs at the condition; and what gnaw frontier has found
	Behind   int      `json:"behind"`   // statements
	Inputs   int      `json:"inputs"`
	Targets  []string `json:"targets"`
	Command  string   `json:"command"`
}

func branchRows(rows []*frontier.Row) []branchRow {
	list := []branchRow{}
	for _, r := range rows {
		list = append(list, branchRow{
			File: r.File, Line: r.Line, Column: r.Column, Function: r.Function, Sentence: r.Sentence(), Details: r.Details(), Behind: r.Behind, Inputs: r.Inputs,
			Targets: r.Targets, Command: r.Command(),
		})
	}
	return list
}

// frontiers keeps the branches of a few campaigns and targets, because gnaw parses all covered files to find them.
type frontiers struct {
	mu   sync.Mutex
	kept map[[2]string]stuck // by the ID of the campaign and the key of the target
}

// stuck is the branches with a side that no input takes, in the order of gnaw frontier.
type stuck struct {
	rows    []branchRow
	changed []string  // files that are not those of the blocks of the history
	kept    *keptRow  // nil: gnaw frontier found nothing about the rows
	next    time.Time // when to find them again
}

// keptRow says when gnaw frontier has found what the rows say about comparisons and help.
type keptRow struct {
	At   string `json:"at"`
	Same bool   `json:"same"` // the inputs reached the same statements then
}

const (
	frontiersKept = 8
	frontierTime  = 5 * time.Second // least time between two searches
	frontierShare = 50              // of the time, a page may use one part in frontierShare to find branches
)

// of returns the branches of a campaign; if key is not empty, those of a target.
func (k *frontiers) of(ctx context.Context, s *data, id, key string) (stuck, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at, began := [2]string{id, key}, time.Now()
	if old, ok := k.kept[at]; ok && began.Before(old.next) {
		return old, nil
	}
	m, h, err := s.stored(ctx, id, key)
	if err != nil {
		return stuck{}, err
	}
	found, changed := frontier.FindStored(h, m.ReadSource)
	one := stuck{rows: branchRows(found.Rows), changed: changed}
	if !found.Kept.IsZero() {
		one.kept = &keptRow{stamp(found.Kept), found.Same}
	}
	one.next = time.Now().Add(max(frontierTime, frontierShare*time.Since(began)))
	if len(k.kept) >= frontiersKept {
		k.kept = nil
	}
	if k.kept == nil {
		k.kept = map[[2]string]stuck{}
	}
	k.kept[at] = one
	return one, nil
}

// frontierPage is the branches of a campaign or a target that have a side that no input takes, in the order of gnaw frontier.
type frontierPage struct {
	Branches     []branchRow `json:"branches"` // at most maxBranches
	Total        int         `json:"total"`
	Kept         *keptRow    `json:"kept"`    // null: gnaw frontier found nothing about the branches
	Changed      []string    `json:"changed"` // at most maxChanged of the files that were changed after their statements were counted
	ChangedTotal int         `json:"changed_total"`
}

func (k *frontiers) list(s *data, r *http.Request) (frontierPage, error) {
	found, err := k.of(r.Context(), s, r.FormValue("campaign"), r.FormValue("target"))
	if err != nil {
		return frontierPage{}, err
	}
	return frontierPage{
		Branches: found.rows[:min(maxBranches, len(found.rows))], Total: len(found.rows), Kept: found.kept,
		Changed: append([]string{}, found.changed[:min(maxChanged, len(found.changed))]...), ChangedTotal: len(found.changed),
	}, nil
}
