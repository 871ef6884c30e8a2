package coverage

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// By selects inputs. Code around inputs always counts.
type By uint8

// The selections.
const (
	All    By = iota
	Seeds     // inputs of F.Add and testdata/fuzz
	Corpus    // the others
)

// Inputs selects the inputs that count.
type Inputs struct {
	By     By
	Before time.Time // an entry of the corpus counts if its file was written before this time; zero: all entries count
}

// has reports whether an entry counts.
func (in Inputs) has(e *Entry) bool {
	return (in.By == All || e.Seed == (in.By == Seeds)) && (in.Before.IsZero() || e.Came.Before(in.Before))
}

// Reach is a block with what reaches it.
type Reach struct {
	Block
	Inputs   int       // how many inputs reach it, of all targets
	Around   bool      // code around the inputs of a target reaches it
	Smallest *Entry    // the smallest of the inputs; nil: there is none
	Target   fuzz.Name // whose input that is
}

// Covered reports whether anything reaches the block.
func (r Reach) Covered() bool { return r.Inputs > 0 || r.Around }

// Merge joins the blocks that the inputs of several targets reach. The result is in the order of packages, files and positions.
func Merge(list []*Replayed, by By) []Reach { return MergeInputs(list, Inputs{By: by}) }

// MergeInputs is like Merge, for the inputs that in selects.
func MergeInputs(list []*Replayed, in Inputs) []Reach {
	index := map[Block]int{}
	var all []Reach
	for _, r := range list {
		at := make([]int, len(r.Blocks)) // indexes in all
		for i, b := range r.Blocks {
			n, ok := index[b]
			if !ok {
				n = len(all)
				index[b] = n
				all = append(all, Reach{Block: b})
			}
			at[i] = n
		}
		for i := range r.Around.All() {
			all[at[i]].Around = true
		}
		for i := range r.Entries {
			e := &r.Entries[i]
			if !in.has(e) {
				continue
			}
			for i := range e.Blocks.All() {
				b := &all[at[i]]
				b.Inputs++
				if b.Smallest == nil || e.Size < b.Smallest.Size {
					b.Smallest, b.Target = e, r.Target
				}
			}
		}
	}
	sortReach(all)
	return all
}

func sortReach(list []Reach) {
	slices.SortFunc(list, func(a, b Reach) int { return a.Block.compare(b.Block) })
}

// compare orders blocks as profiles do.
func (b Block) compare(c Block) int {
	return cmp.Or(
		cmp.Compare(b.Package, c.Package), cmp.Compare(b.File, c.File), b.Start.compare(c.Start), b.End.compare(c.End),
		cmp.Compare(b.Statements, c.Statements), cmp.Compare(b.Function, c.Function),
	)
}

func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// Count is a number of statements.
type Count struct {
	Statements, Covered int
}

// Percent returns the share that is covered, from 0 to 100. It is 100 if there are no statements.
func (c Count) Percent() float64 {
	if c.Statements == 0 {
		return 100
	}
	return 100 * float64(c.Covered) / float64(c.Statements)
}

func (c *Count) add(r Reach) {
	c.Statements += r.Statements
	if r.Covered() {
		c.Covered += r.Statements
	}
}

// Package counts the statements of a package.
type Package struct {
	Path string
	Count
	Functions []Function // in the order of files and lines
}

// Function counts the statements of a function. Those of the function literals in it are among them.
type Function struct {
	Name, File string
	Line       int // of its first block
	Count
}

// Summarize counts the statements of packages and functions. The blocks are in the order of [Merge].
func Summarize(blocks []Reach) (list []Package) {
	type name struct{ file, function string }
	var index map[name]int // of the functions of the package
	for _, b := range blocks {
		if n := len(list); n == 0 || list[n-1].Path != b.Package {
			list = append(list, Package{Path: b.Package})
			index = map[name]int{}
		}
		p := &list[len(list)-1]
		p.add(b)
		at, ok := index[name{b.File, b.Function}]
		if !ok {
			at = len(p.Functions)
			index[name{b.File, b.Function}] = at
			p.Functions = append(p.Functions, Function{Name: b.Function, File: b.File, Line: b.Start.Line})
		}
		p.Functions[at].add(b)
	}
	return list
}

// Total counts all statements.
func Total(blocks []Reach) (c Count) {
	for _, b := range blocks {
		c.add(b)
	}
	return c
}

// WriteProfile writes a profile in the format of go test -coverprofile. The count of a block is the number of inputs that reach it, or 1
// if only code around inputs does.
func WriteProfile(w io.Writer, blocks []Reach) error {
	if _, err := fmt.Fprintln(w, "mode: atomic"); err != nil {
		return err
	}
	for _, b := range blocks {
		count := b.Inputs
		if count == 0 && b.Around {
			count = 1
		}
		if _, err := fmt.Fprintf(w, "%s:%v,%v %d %d\n", b.File, b.Start, b.End, b.Statements, count); err != nil {
			return err
		}
	}
	return nil
}
