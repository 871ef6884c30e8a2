package cli

import (
	"github.com/gnaw-fuzz/gnaw/internal/scaffold"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// kindText describes what targets of a kind check.
var kindText = map[plan.Kind]string{
	plan.Laws:       "comparing is an order",
	plan.Pair:       "decoding undoes encoding",
	plan.Twin:       "the forms for strings and bytes agree",
	plan.Stream:     "what is written is read again",
	plan.Marshal:    "what is read can be written and read again",
	plan.Print:      "what is parsed can be printed and parsed again",
	plan.Idempotent: "a second call changes nothing",
	plan.Parse:      "no panic",
	plan.Read:       "reading to the end does not panic",
	plan.Methods:    "no sequence of methods panics",
}

// initJSON is the object that gnaw init -json prints for a package.
type initJSON struct {
	Package string        `json:"package"`
	Folder  string        `json:"folder"` // absolute
	File    string        `json:"file,omitempty"`
	Source  string        `json:"source,omitempty"`
	Targets []initTarget  `json:"targets,omitempty"`
	Skipped []initSkipped `json:"skipped,omitempty"`
	Notes   []initNote    `json:"notes,omitempty"`
	Problem string        `json:"problem,omitempty"`
}

type initTarget struct {
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Functions []string `json:"functions"`
}

type initSkipped struct {
	Function string `json:"function"`
	Reason   string `json:"reason"`
}

type initNote struct {
	Target  string `json:"target"`
	Verdict string `json:"verdict"` // weakened, dropped, panics, untried
	Seed    string `json:"seed,omitempty"`
	Reason  string `json:"reason"`
}

// initJSONOf returns the object for a package.
func initJSONOf(p scaffold.Package) initJSON {
	j := initJSON{Package: p.Path, Folder: p.Dir, File: p.File, Source: string(p.Source), Problem: p.Problem}
	if p.Unchecked != "" {
		j.Problem = "the tests cannot be run: " + p.Unchecked
	}
	for _, t := range p.Targets {
		j.Targets = append(j.Targets, initTarget{t.Name, string(t.Kind), t.Covers})
	}
	for _, s := range p.Skipped {
		j.Skipped = append(j.Skipped, initSkipped{s.Key, s.Reason})
	}
	for _, n := range p.Notes {
		j.Notes = append(j.Notes, initNote{n.Target, string(n.Verdict), n.Seed, n.Why})
	}
	return j
}
