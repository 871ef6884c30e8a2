package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/coverage/page"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// coverReport prints which statements inputs reach.
type coverReport struct {
	env      Env
	flags    *coverFlags
	list     []*coverage.Replayed
	blocks   []coverage.Reach // of all targets
	branches []page.Branch    // with a side that no input takes; nil: they are not known
}

// empty reports whether there is no input.
func (c coverReport) empty() bool {
	for _, r := range c.list {
		if len(r.Entries) > 0 {
			return false
		}
	}
	return true
}

// write writes the files that the flags ask for.
func (c coverReport) write(ctx context.Context, tc gocommand.Toolchain) error {
	if file := c.flags.profile; file != "" {
		var text bytes.Buffer
		err := coverage.WriteProfile(&text, c.blocks)
		if err == nil {
			err = disk.Write(file, text.Bytes())
		}
		if err != nil {
			return fmt.Errorf("write the profile: %w", err)
		}
	}
	if c.flags.html == "" {
		return nil
	}
	read, err := c.flags.sources(ctx, tc, c.env.Dir, c.blocks)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = page.Write(&text, "Coverage of "+strings.Join(c.flags.patterns, " ")+" by fuzzing", c.blocks, c.branches, read)
	if err == nil {
		err = disk.Write(c.flags.html, text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write the HTML file: %w", err)
	}
	return nil
}

// sources returns a function that reads the source files of blocks; see [page.Sources]. dir is the working directory of the go command.
func (f *coverFlags) sources(ctx context.Context, tc gocommand.Toolchain, dir string, blocks []coverage.Reach) (page.Sources, error) {
	var paths []string
	for _, p := range coverage.Summarize(blocks) {
		paths = append(paths, p.Path)
	}
	if len(paths) == 0 {
		return func(string, string) ([]byte, error) { return nil, fs.ErrNotExist }, nil
	}
	folders, err := build.PackageFolders(ctx, tc, dir, paths, f.build)
	return func(pkg, file string) ([]byte, error) {
		return disk.Read(filepath.Join(folders[pkg], path.Base(file)), disk.MaxSource)
	}, err
}

// maxNamed is how many failing inputs of a target the text names.
const maxNamed = 5

// text prints a table of targets and one of packages.
func (c coverReport) text() {
	out := tabwriter.NewWriter(c.env.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "statements\t\tinputs\tseeds\t  target")
	for _, r := range c.list {
		n := coverage.Total(coverage.Merge([]*coverage.Replayed{r}, c.flags.by))
		seeds, _ := tally(r)
		fmt.Fprintf(out, "%d/%d\t%.1f%%\t%d\t%d\t  %s %s\n", n.Covered, n.Statements, n.Percent(), len(r.Entries), seeds, r.Target.Package, r.Target.Func)
	}
	_ = out.Flush()
	for _, r := range c.list {
		c.failing(r)
	}
	fmt.Fprintln(c.env.Stdout)
	fmt.Fprintln(out, "statements\t\t  package")
	for _, p := range coverage.Summarize(c.blocks) {
		fmt.Fprintf(out, "%d/%d\t%.1f%%\t  %s\n", p.Covered, p.Statements, p.Percent(), p.Path)
		if !c.flags.functions {
			continue
		}
		for _, f := range p.Functions {
			fmt.Fprintf(out, "%d/%d\t%.1f%%\t    %s:%d %s\n", f.Covered, f.Statements, f.Percent(), path.Base(f.File), f.Line, f.Name)
		}
	}
	all := coverage.Total(c.blocks)
	fmt.Fprintf(out, "%d/%d\t%.1f%%\t  total\n", all.Covered, all.Statements, all.Percent())
	_ = out.Flush()
	if c.flags.by == coverage.All {
		seeds := coverage.Total(coverage.Merge(c.list, coverage.Seeds))
		fmt.Fprintf(c.env.Stdout, "the seeds reach %s, and the corpus adds %d\n", report.Plural(seeds.Covered, "statement"), all.Covered-seeds.Covered)
	}
}

// tally counts the seeds and the failing inputs of a target.
func tally(r *coverage.Replayed) (seeds, failing int) {
	for _, e := range r.Entries {
		if e.Seed {
			seeds++
		}
		if e.Failed != "" {
			failing++
		}
	}
	return seeds, failing
}

// failing names inputs that fail.
func (c coverReport) failing(r *coverage.Replayed) {
	_, n := tally(r)
	if n == 0 {
		return
	}
	var names []string
	for _, e := range r.Entries {
		switch {
		case e.Failed == "":
		case len(names) == maxNamed:
			names = append(names, fmt.Sprintf("and %d more (-json lists all)", n-maxNamed))
		case len(names) < maxNamed && e.Lost:
			names = append(names, fmt.Sprintf("%s (%s; what it reaches is not known)", e.Name, e.Failed))
		case len(names) < maxNamed:
			names = append(names, fmt.Sprintf("%s (%s)", e.Name, e.Failed))
		}
	}
	verb := "fail"
	if n == 1 {
		verb = "fails"
	}
	fmt.Fprintf(c.env.Stdout, "%s of %s %s: %s\n", report.Plural(n, "input"), r.Target.Func, verb, strings.Join(names, ", "))
}

// coverTargetJSON is the JSON form of a target.
type coverTargetJSON struct {
	Package    string             `json:"package"`
	Target     string             `json:"target"`
	Inputs     int                `json:"inputs"`
	Seeds      int                `json:"seeds"`
	Executed   int                `json:"executed"` // inputs that were executed now
	Statements int                `json:"statements"`
	Covered    int                `json:"covered"`
	Failing    []coverFailingJSON `json:"failing,omitempty"`
}

// coverFailingJSON is the JSON form of an input that fails.
type coverFailingJSON struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Lost bool   `json:"lost,omitempty"` // what it reaches is not known
}

// coverPackageJSON is the JSON form of a package.
type coverPackageJSON struct {
	Package    string              `json:"package"`
	Statements int                 `json:"statements"`
	Covered    int                 `json:"covered"`
	BySeeds    int                 `json:"by_seeds"` // statements that the seeds reach
	Functions  []coverFunctionJSON `json:"functions"`
}

// coverFunctionJSON is the JSON form of a function.
type coverFunctionJSON struct {
	Name       string `json:"name"`
	File       string `json:"file"` // import path and base name
	Line       int    `json:"line"`
	Statements int    `json:"statements"`
	Covered    int    `json:"covered"`
}

// json prints one object per line.
func (c coverReport) json() error {
	for _, r := range c.list {
		n := coverage.Total(coverage.Merge([]*coverage.Replayed{r}, c.flags.by))
		seeds, _ := tally(r)
		t := coverTargetJSON{
			Package: r.Target.Package, Target: r.Target.Func, Inputs: len(r.Entries), Seeds: seeds, Executed: r.Executed,
			Statements: n.Statements, Covered: n.Covered,
		}
		for _, e := range r.Entries {
			if e.Failed != "" {
				t.Failing = append(t.Failing, coverFailingJSON{e.Name, e.Failed, e.Lost})
			}
		}
		if err := writeJSON(c.env.Stdout, t); err != nil {
			return err
		}
	}
	seeds := coverage.Summarize(coverage.Merge(c.list, coverage.Seeds)) // the same packages
	for i, p := range coverage.Summarize(c.blocks) {
		j := coverPackageJSON{Package: p.Path, Statements: p.Statements, Covered: p.Covered, BySeeds: seeds[i].Covered}
		for _, f := range p.Functions {
			j.Functions = append(j.Functions, coverFunctionJSON{f.Name, f.File, f.Line, f.Statements, f.Covered})
		}
		if err := writeJSON(c.env.Stdout, j); err != nil {
			return err
		}
	}
	return nil
}

// coverProgress prints how far a target is, if it takes long.
type coverProgress struct {
	env    Env
	target string
	said   time.Time
}

// sayEvery is the time between two lines about progress.
const sayEvery = 3 * time.Second

func (p *coverProgress) show(t build.Target, done, total int) {
	switch {
	case total == 0:
		fmt.Fprintf(p.env.Stderr, "%s: building a test binary with counters for statements\n", t.Package)
		p.said = time.Now()
	case p.target != t.Func:
		p.target, p.said = t.Func, time.Now()
	case time.Since(p.said) >= sayEvery:
		fmt.Fprintf(p.env.Stderr, "%s: %d of %s executed\n", t.Func, done, report.Plural(total, "input"))
		p.said = time.Now()
	}
}

// keptReplays saves in the history which blocks inputs reach. After the first error, which it prints, it reads and saves no more, so that
// the next gnaw cover executes the inputs again.
type keptReplays struct {
	env    Env
	began  time.Time    // before the first build
	db     *store.Store // nil: not open
	broken bool

	files   coverage.Files // that saveSources has read
	reached []frontier.Stored
}

// open opens the history at the first use.
func (k *keptReplays) open(ctx context.Context) bool {
	if k.db == nil && !k.broken {
		var err error
		k.db, err = openStore(ctx)
		k.note(err)
	}
	return k.db != nil && !k.broken
}

// note prints an error. After it, the history is not used any more.
func (k *keptReplays) note(err error) {
	if err != nil {
		k.broken = true
		fmt.Fprintf(k.env.Stderr, "gnaw: %v\n", err)
	}
}

// Replays implements coverage.Store.
func (k *keptReplays) Replays(ctx context.Context, binary string, target fuzz.Name) (data []byte, err error) {
	if k.open(ctx) {
		data, err = k.db.Replays(ctx, binary, target)
		k.note(err)
	}
	return data, nil
}

// SaveReplays implements coverage.Store.
func (k *keptReplays) SaveReplays(ctx context.Context, binary string, target fuzz.Name, data []byte) error {
	if k.open(ctx) {
		k.note(k.db.SaveReplays(ctx, binary, target, data))
	}
	return nil
}

// saveSources saves which statements the inputs of each target reach, for the dashboard and reports.
func (k *keptReplays) saveSources(ctx context.Context, list []*coverage.Replayed) {
	module := project.Find(k.env.Dir)
	k.files = coverage.Files{}
	for _, r := range list {
		if !k.open(ctx) {
			return
		}
		blocks := r.Sources()
		k.files.Add(blocks, k.began, module.ReadSource)
		k.reached = append(k.reached, frontier.Stored{Target: r.Target, Blocks: blocks})
		data, err := blocks.Encode(k.files)
		if err == nil {
			err = k.db.SaveSources(ctx, 0, module.Path, store.Sources{Target: r.Target, Data: data})
		}
		k.note(err)
	}
}

// saveFrontier saves the branches of the targets whose statements saveSources has saved.
func (k *keptReplays) saveFrontier(ctx context.Context, found *frontier.Frontier) {
	if !k.open(ctx) {
		return
	}
	one := frontier.Kept{At: time.Now(), State: frontier.State(k.reached), Files: k.files, Rows: found.Rows}
	data, err := one.Encode()
	if err == nil {
		err = k.db.SaveFrontier(ctx, project.Find(k.env.Dir).Path, one.State, data)
	}
	k.note(err)
}

func (k *keptReplays) close() {
	if k.db != nil {
		k.note(k.db.Close())
	}
}
