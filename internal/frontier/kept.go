package frontier

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

// Kept is what gnaw frontier has found, in the form in which the history keeps it.
type Kept struct {
	At    time.Time
	State string         // of the corpus; see [State]
	Files coverage.Files // that the rows are of; rows of other files are not used
	Rows  []*Row
}

// Encode returns what the history keeps, which [ReadStored] reads.
func (k *Kept) Encode() ([]byte, error) {
	data, err := coverage.Pack(k)
	if err != nil {
		return nil, fmt.Errorf("encode the branches: %w", err)
	}
	return data, nil
}

func decodeKept(data []byte) (*Kept, error) {
	k := &Kept{}
	return k, coverage.Unpack(data, k)
}

// State returns a digest of the statements that the inputs of targets reach, and of those that they do not. As long as it is the same, so are the
// branches with a side that no input takes.
func State(list []Stored) string {
	var lines []string
	for _, one := range list {
		for _, b := range one.Blocks {
			lines = append(lines, fmt.Sprintln(one.Target.Package, one.Target.Func, b.File, b.Start, b.End, b.Statements, b.Count > 0))
		}
	}
	slices.Sort(lines)
	sum := sha256.New()
	for _, l := range lines {
		_, _ = sum.Write([]byte(l)) // a hash has no errors
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:16])
}

// condition identifies a row as long as its file does not change.
type condition struct {
	file               string
	line, column       int
	condition, missing string
}

func (r *Row) identity() condition {
	return condition{r.File, r.Line, r.Column, r.Condition, r.Missing}
}

// join adds what gnaw frontier has found in files that have these sums. If it was in the same state, its rows replace those of the files. If not, they say
// what would help the rows that are left.
func (f *Frontier) join(k *Kept, sums coverage.Files, same bool) {
	known, used := map[condition]*Row{}, map[string]bool{}
	var rows []*Row
	for file, sum := range k.Files {
		used[file] = sums[file] == sum
	}
	for _, r := range k.Rows {
		if used[r.File] {
			known[r.identity()] = r
			rows = append(rows, r)
		}
	}
	if same {
		f.Rows = append(slices.DeleteFunc(f.Rows, func(r *Row) bool { return used[r.File] }), rows...)
	}
	for _, r := range f.Rows {
		if old := known[r.identity()]; old != nil && !same {
			r.Chain, r.Compared, r.Help, r.Class = old.Chain, old.Compared, old.Help, old.Class
		}
	}
	if len(known) > 0 {
		f.Kept, f.Same = k.At, same
	}
}
