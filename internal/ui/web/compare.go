package web

import (
	"net/http"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// comparedTarget is a target of one of two campaigns.
type comparedTarget struct {
	Edges    int    `json:"edges"`
	Entries  int    `json:"entries"`
	Execs    uint64 `json:"execs"`
	Covered  *int   `json:"covered"` // statements; nil: the campaign has not counted those of the target
	Findings int    `json:"findings"`
}

// pair is a target of two campaigns. A side is nil if its campaign does not have the target.
type pair struct {
	Package string          `json:"package"`
	Target  string          `json:"target"`
	A       *comparedTarget `json:"a"`
	B       *comparedTarget `json:"b"`
}

// comparison is two campaigns side by side.
type comparison struct {
	A        campaignRow      `json:"a"`
	B        campaignRow      `json:"b"`
	Targets  []pair           `json:"targets"`
	Findings comparedFindings `json:"findings"`
}

// comparedFindings are the findings of two campaigns.
type comparedFindings struct {
	OnlyA []findingRow `json:"only_a"`
	OnlyB []findingRow `json:"only_b"`
	Both  []findingRow `json:"both"`
}

func (s *data) compare(r *http.Request) (comparison, error) {
	var sides [2]detail
	for i, name := range []string{"a", "b"} {
		d, err := s.detail(r.Context(), r.FormValue(name))
		if err != nil {
			return comparison{}, err
		}
		sides[i] = d
	}
	found := comparedFindings{[]findingRow{}, []findingRow{}, []findingRow{}}
	has := func(list []findingRow, id string) bool {
		return slices.ContainsFunc(list, func(f findingRow) bool { return f.ID == id })
	}
	for _, f := range sides[0].Findings {
		if has(sides[1].Findings, f.ID) {
			found.Both = append(found.Both, f)
		} else {
			found.OnlyA = append(found.OnlyA, f)
		}
	}
	for _, f := range sides[1].Findings {
		if !has(sides[0].Findings, f.ID) {
			found.OnlyB = append(found.OnlyB, f)
		}
	}
	return comparison{sides[0].Campaign, sides[1].Campaign, pairs(sides[0].Targets, sides[1].Targets), found}, nil
}

// pairs joins the targets of two campaigns by their names. The targets of the first campaign come first.
func pairs(a, b []targetRow) []pair {
	list := []pair{}
	index := map[fuzz.Name]int{}
	at := func(t targetRow) *pair {
		name := fuzz.Name{Package: t.Package, Func: t.Target}
		i, ok := index[name]
		if !ok {
			i = len(list)
			index[name] = i
			list = append(list, pair{Package: name.Package, Target: name.Func})
		}
		return &list[i]
	}
	side := func(t targetRow) *comparedTarget {
		one := comparedTarget{Edges: t.Edges, Entries: t.Entries, Execs: t.Execs, Findings: t.Bugs}
		if t.Statements > 0 {
			one.Covered = &t.Covered
		}
		return &one
	}
	for _, t := range a {
		at(t).A = side(t)
	}
	for _, t := range b {
		at(t).B = side(t)
	}
	return list
}
