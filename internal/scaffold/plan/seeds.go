package plan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// seed gives a target the texts in the tests of its functions as seeds.
func (pl *planner) seed(t *Target, f *survey.Func) {
	texts := pl.texts(t, f)
	if t.Kind == Laws {
		t.Seeds = triples(texts)
		return
	}
	for _, s := range texts {
		t.Seeds = append(t.Seeds, append([]string{literal(s, t.Params[0].Type)}, t.Values...))
	}
	if len(t.Params) == 1 {
		t.Globs = f.Globs
	}
}

// texts returns the texts in the tests of the functions that a target is about; of all functions for texts of its type if there are none.
func (pl *planner) texts(t *Target, f *survey.Func) []string {
	list := f.Texts
	for _, key := range t.Covers {
		if g := pl.p.Func(key); g != nil && len(list) == 0 {
			list = g.Texts
		}
	}
	if len(list) == 0 && t.Type != "" {
		for _, g := range pl.p.Funcs {
			if strings.HasPrefix(g.Key, "Parse") && len(list) == 0 {
				list = g.Texts
			}
		}
	}
	return list
}

// seedLaws gives a target of laws the texts in the tests of the parser and of the comparison.
func (pl *planner) seedLaws(t *Target, parser *survey.Func) {
	list := parser.Texts
	for _, key := range t.Covers {
		if f := pl.p.Func(key); f != nil && len(f.Texts) > len(list) {
			list = f.Texts
		}
	}
	t.Seeds = triples(list)
}

// triples makes triples of neighbors.
func triples(list []string) (rows [][]string) {
	for i := 0; i+2 < len(list); i += 3 {
		rows = append(rows, []string{literal(list[i], text), literal(list[i+1], text), literal(list[i+2], text)})
	}
	if len(rows) == 0 && len(list) > 0 {
		rows = append(rows, []string{literal(list[0], text), literal(list[len(list)-1], text), literal(list[0], text)})
	}
	return rows
}

// literal is a Go expression for a text of a type.
func literal(s, typ string) string {
	quoted := strconv.Quote(s)
	if utf8.ValidString(s) && strings.ContainsAny(s, "\"\\\n") && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) && !strings.Contains(s, "\r") && strings.Count(s, "\n") <= 8 {
		quoted = "`" + s + "`"
	}
	if typ == bytes {
		return "[]byte(" + quoted + ")"
	}
	return quoted
}
