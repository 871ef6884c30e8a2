package cli

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/migrate"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// migrationJSON is the JSON form of what `gnaw corpus migrate` prints.
type migrationJSON struct {
	corpusOf
	Types   string           `json:"types"`   // of the target, as in "([]byte, int)"
	Groups  []groupJSON      `json:"groups"`  // inputs that the target does not take, by their types
	Written int              `json:"written"` // inputs; 0 without -write
	Skipped []corpus.Skipped `json:"skipped"` // files that cannot be read
}

// groupJSON is the inputs with arguments of the same types.
type groupJSON struct {
	Types    string           `json:"types"`
	Names    []string         `json:"names"`    // of the arguments; empty: not known
	Revision string           `json:"revision"` // git commit with a target of these types; empty: none was found
	Map      []int            `json:"map"`      // for each argument of the target the number of an old one; 0: the zero value
	Inputs   int              `json:"inputs"`
	Fitting  int              `json:"fitting"`
	Unfit    []corpus.Skipped `json:"unfit"`
}

// corpusMigrate is `gnaw corpus migrate`.
func corpusMigrate(ctx context.Context, c *corpusCommand) error {
	params, err := c.parameters(ctx)
	if err != nil {
		return err
	}
	groups, damaged, err := migrate.Plan(ctx, migrate.Options{
		Target: c.target.Func, File: c.target.File, To: params, Folders: []string{c.folders.Seeds, c.folders.Corpus}, Environ: c.env.Environ,
	})
	if err != nil {
		return err
	}
	if c.of != nil {
		if len(groups) != 1 {
			return usagef("-map is for old inputs of one list of types, and there are %d: see gnaw corpus stat", len(groups))
		}
		if err := groups[0].Set(c.of); err != nil {
			return usagef("-map: %w", err)
		}
	}
	m := migrationJSON{corpusOf: c.about(), Types: migrate.KindsText(params), Groups: []groupJSON{}, Skipped: append([]corpus.Skipped{}, damaged...)}
	for _, g := range groups {
		m.Groups = append(m.Groups, describeGroup(g))
		if !c.write {
			continue
		}
		n, err := g.Write()
		if m.Written += n; err != nil {
			return err
		}
	}
	if c.json {
		return writeJSON(c.env.Stdout, m)
	}
	c.printMigration(ctx, m, groups)
	return nil
}

// describeGroup returns the JSON form of a group.
func describeGroup(g *migrate.Group) groupJSON {
	j := groupJSON{Types: migrate.KindsText(g.From), Names: []string{}, Revision: g.Revision, Map: []int{}, Inputs: len(g.Files), Fitting: g.Fitting(), Unfit: []corpus.Skipped{}}
	if g.Revision != "" {
		for _, p := range g.From {
			j.Names = append(j.Names, p.Name)
		}
	}
	for _, of := range g.Of {
		j.Map = append(j.Map, of+1)
	}
	for _, f := range g.Files {
		if f.Err != nil {
			j.Unfit = append(j.Unfit, corpus.Skipped{Name: f.Path, Reason: f.Err.Error()})
		}
	}
	return j
}

// printMigration prints the mapping of each group.
func (c *corpusCommand) printMigration(ctx context.Context, m migrationJSON, groups []*migrate.Group) {
	out := c.env.Stdout
	c.printSkipped(m.Skipped)
	if len(groups) == 0 {
		fmt.Fprintf(out, "%s takes %s, and so do all of its inputs\n", m.Target, m.Types)
		return
	}
	fitting := 0
	for i, g := range groups {
		j := m.Groups[i]
		fitting += j.Fitting
		fmt.Fprintf(out, "%s %s to %s: %d fit\n", report.Plural(j.Inputs, "input"), j.Types, m.Types, j.Fitting)
		for i, of := range g.Of {
			was := "new, " + zeroText(g.To[i])
			if of >= 0 {
				was = "was " + parameterText(of, g.From[of])
			}
			fmt.Fprintf(out, "\t%s: %s\n", parameterText(i, g.To[i]), was)
		}
		for _, of := range g.Dropped() {
			fmt.Fprintf(out, "\t%s is dropped\n", parameterText(of, g.From[of]))
		}
		if j.Revision != "" {
			fmt.Fprintf(out, "\tthe old names are those of commit %.12s\n", j.Revision)
		} else if hint := project.ShallowHint(ctx, c.env.Environ, c.target.Dir); hint != "" {
			fmt.Fprintf(out, "\tthe old names are not known: %s\n", hint)
		}
		c.printSkipped(j.Unfit)
	}
	switch {
	case c.write:
		fmt.Fprintf(out, "%s written; the old files are in the folder %s beside them\n", report.Plural(m.Written, "input"), migrate.OldFolder)
	case fitting > 0:
		fmt.Fprintln(out, "nothing is written; -write writes what fits, and -map changes the mapping")
	}
}

// parameterText shows a parameter, as in "2 n int".
func parameterText(i int, p regress.Parameter) string {
	name := p.Name
	if name != "" {
		name += " "
	}
	types := migrate.KindsText([]regress.Parameter{p})
	return fmt.Sprintf("%d %s%s", i+1, name, types[1:len(types)-1])
}

// zeroText shows the zero value of a parameter.
func zeroText(p regress.Parameter) string {
	switch {
	case p.Kind.IsBuffer():
		return "empty"
	case p.Kind.Width() == 1:
		return "false"
	}
	return "0"
}
