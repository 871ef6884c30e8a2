package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// corpusFlags are the flags of `gnaw corpus`.
type corpusFlags struct {
	json   bool
	tags   string
	format *corpus.Format // nil: import detects it
	out    string         // folder that merge and import write to; empty: the corpus
	by     coverage.By
	write  bool
	of     []int // mapping of migrate; nil: gnaw finds it
	dry    bool  // distill removes nothing
	refuse bool  // of distill
}

// define returns the flags of an action; empty: of all.
func (f *corpusFlags) define(action string) *flagSet {
	fs := newFlags("corpus")
	has := func(actions ...string) bool { return action == "" || slices.Contains(actions, action) }
	if has("export") {
		fs.describe("by", "seeds|corpus|all", "export: the files of testdata/fuzz only, or those of the corpus only (default all)")
		fs.Func("by", "", parseBy(&f.by))
	}
	if has("import", "export") {
		fs.describe("format", "f", "import, export: "+strings.Join(corpus.FormatNames(), ", ")+" (default of import: detected; of export: v1)")
		fs.lists["format"] = corpus.FormatNames()
		fs.Func("format", "", func(s string) error {
			format, err := corpus.FormatOf(s)
			f.format = &format
			return err
		})
	}
	fs.describe("json", "", "print one object, see docs/corpus.md")
	fs.BoolVar(&f.json, "json", false, "")
	if has("migrate") {
		fs.describe("map", "list", "migrate: for each argument of the target the number of an old one, or 0 for the zero value, as in 2,0,1")
		fs.Func("map", "", func(s string) error {
			f.of = []int{}
			for part := range strings.SplitSeq(s, ",") {
				n, err := strconv.Atoi(strings.TrimSpace(part))
				if err != nil {
					return errors.New("want numbers with commas between them, such as 2,0,1")
				}
				f.of = append(f.of, n)
			}
			return nil
		})
	}
	if has("distill") {
		fs.describe("n", "", "distill: only say what would be removed")
		fs.BoolVar(&f.dry, "n", false, "")
	}
	if has("merge", "import") {
		fs.describe("o", "folder", "merge, import: write to this folder in place of the corpus")
		fs.StringVar(&f.out, "o", "", "")
	}
	if has("distill") {
		fs.defineRefuse(&f.refuse)
	}
	fs.describe("tags", "t", "as in go build")
	fs.StringVar(&f.tags, "tags", "", "")
	if has("migrate") {
		fs.describe("write", "", "migrate: write the new inputs, and move the old ones to the folder .old")
		fs.BoolVar(&f.write, "write", false, "")
	}
	return fs
}

// corpusCommand is the target and the arguments of an action.
type corpusCommand struct {
	corpusFlags
	env     Env
	target  build.Target
	folders coverage.Folders
	args    []string // behind the target
	spec    session.Spec
}

// corpusOf begins the JSON form of what each action prints.
type corpusOf struct {
	Package string `json:"package"`
	Target  string `json:"target"`
}

func (c *corpusCommand) about() corpusOf { return corpusOf{c.target.Package, c.target.Func} }

// parse reads the arguments of an action.
func (c *corpusCommand) parse(a corpusAction, args []string) error {
	rest, err := parseMixed(c.define(a.name), args)
	if err != nil {
		return err
	}
	wants := "PKG TARGET"
	least, most := 2, 2
	if a.takes != "" {
		wants, least, most = wants+" "+a.takes, 3, 3
	}
	if a.more {
		wants, most = wants+"...", len(rest)
	}
	if len(rest) < least || len(rest) > most {
		return usagef("corpus %s takes %s: the folder or import path of a package, and the name of a target%s; `gnaw list` shows all targets",
			a.name, wants, map[bool]string{true: ", and what `gnaw help corpus` explains"}[a.takes != ""])
	}
	if strings.Contains(rest[0], "...") {
		return usagef("%s may be several packages; write the folder or import path of one", rest[0])
	}
	c.args = rest[2:]
	c.spec = session.Spec{
		Dir: c.env.Dir, Environ: c.env.Environ, Package: rest[0], Target: rest[1], Notices: c.env.Stderr, Timeout: session.DefaultTimeout,
		MemLimit: session.DefaultMemLimit(executor.MemoryRoom(), 1),
	}
	if strings.HasPrefix(rest[0], ".") { // a folder; session looks for it in the folder of the process
		c.spec.Package = c.env.Abs(rest[0])
	}
	if c.tags != "" {
		c.spec.Flags = []string{"-tags=" + c.tags}
	}
	return nil
}

// find finds the target and its folders. It builds nothing.
func (c *corpusCommand) find(ctx context.Context) error {
	tc, target, err := session.Find(ctx, c.spec)
	if err != nil {
		return err
	}
	c.target = target
	c.folders = coverage.FoldersOf(target.Home(), filepath.Join(tc.Cache, "fuzz", filepath.FromSlash(target.Package)), target.Func)
	return nil
}

// known returns the parameters of the target as far as its source tells them; nil: it does not.
func (c *corpusCommand) known() []regress.Parameter {
	source, err := disk.Read(c.target.File, disk.MaxSource)
	if err != nil {
		return nil
	}
	params, err := regress.Parameters(c.target.File, source, c.target.Func)
	if err != nil {
		return nil
	}
	return params
}

// parameters returns the parameters of the target. If the source does not tell them, it builds the test binary and asks it, which knows no
// names.
func (c *corpusCommand) parameters(ctx context.Context) (params []regress.Parameter, err error) {
	if params = c.known(); params != nil {
		return params, nil
	}
	b, err := session.Build(ctx, c.spec)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.Process.Start(ctx); err != nil {
		return nil, err
	}
	for _, k := range b.Process.Kinds() {
		params = append(params, regress.Parameter{Kind: k})
	}
	return params, nil
}

// kinds returns the kinds of the arguments of the target.
func (c *corpusCommand) kinds(ctx context.Context) (kinds []input.Kind, err error) {
	params, err := c.parameters(ctx)
	for _, p := range params {
		kinds = append(kinds, p.Kind)
	}
	return kinds, err
}

// shownSkipped is how many skipped files a command names; -json has all.
const shownSkipped = 10

// printSkipped prints which files are left out.
func (c *corpusCommand) printSkipped(list []corpus.Skipped) {
	for i, s := range list {
		if i == shownSkipped {
			fmt.Fprintf(c.env.Stderr, "gnaw: %s more left out; -json names all\n", report.Plural(len(list)-i, "file"))
			return
		}
		fmt.Fprintf(c.env.Stderr, "gnaw: %s is left out: %s\n", strconv.QuoteToGraphic(s.Name), s.Reason)
	}
}
