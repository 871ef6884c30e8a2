package coverage

import (
	"cmp"
	"slices"
	"strings"
)

// Comparison is the difference in coverage before and after a change of the inputs or of the code.
type Comparison struct {
	Before, After Count    // all statements of each side
	Came, Went    int      // statements in the code of both sides that are covered after the change only, or before it only
	New, Gone     Count    // statements in code that exists after the change only, or before it only
	Changes       []Change // the functions with statements that came or went, in the order of packages, files and lines
}

// Change is a function with statements that are covered on one side only.
type Change struct {
	Package, Function string
	Came, Went        []Reach // blocks, with their positions after the change, in the order of lines
}

// Statements returns how many statements of the function came and went.
func (c Change) Statements() (came, went int) { return statements(c.Came), statements(c.Went) }

func statements(list []Reach) (n int) {
	for _, b := range list {
		n += b.Statements
	}
	return n
}

// Texts returns the source text of a block; ok is false if the source cannot be read. [Compare] matches blocks by their texts.
type Texts func(b Block) (text string, ok bool)

// Places is a [Texts] for two sides with the same code. It returns the position of a block in place of its text.
func Places(b Block) (text string, ok bool) { return b.File + b.Start.String() + b.End.String(), true }

// Compare compares the coverage before and after a change; was and is return the texts of blocks before and after it. Two blocks are the same
// if they have the same package and function, and their texts differ in white space only. If several blocks of a function have the same
// text, Compare matches them in their order, provided that both sides have the same number of them. All other blocks are code that only one
// side has.
func Compare(before, after []Reach, was, is Texts) (c Comparison) {
	c.Before, c.After = Total(before), Total(after)
	old := byText(before, was)
	now := byText(after, is)
	changes := map[[2]string]*Change{}
	for id, list := range now {
		pairs := old[id]
		if len(pairs) != len(list) || id.unknown != (Block{}) {
			for _, b := range list {
				c.New.add(b)
			}
			continue
		}
		delete(old, id)
		for i, b := range list {
			if pairs[i].Covered() == b.Covered() {
				continue
			}
			name := [2]string{b.Package, b.Function}
			if changes[name] == nil {
				changes[name] = &Change{Package: b.Package, Function: b.Function}
			}
			f := changes[name]
			if b.Covered() {
				f.Came = append(f.Came, b)
				c.Came += b.Statements
			} else {
				f.Went = append(f.Went, b)
				c.Went += b.Statements
			}
		}
	}
	for _, list := range old {
		for _, b := range list {
			c.Gone.add(b)
		}
	}
	for _, f := range changes {
		sortReach(f.Came)
		sortReach(f.Went)
		c.Changes = append(c.Changes, *f)
	}
	slices.SortFunc(c.Changes, func(a, b Change) int {
		return cmp.Or(a.first().compare(b.first()), cmp.Compare(a.Function, b.Function))
	})
	return c
}

// first returns the first block that came or went.
func (c Change) first() Block {
	if len(c.Went) == 0 || len(c.Came) > 0 && c.Came[0].compare(c.Went[0].Block) < 0 {
		return c.Came[0].Block
	}
	return c.Went[0].Block
}

// identity is equal for the blocks before and after a change that Compare matches.
type identity struct {
	pkg, function, text string
	unknown             Block // the block itself, if its text is not known; it matches no other block
}

// byText groups blocks by their identity. The blocks of a group keep their order.
func byText(list []Reach, texts Texts) map[identity][]Reach {
	groups := map[identity][]Reach{}
	for _, b := range list {
		id := identity{pkg: b.Package, function: b.Function}
		if text, ok := texts(b.Block); ok {
			id.text = strings.Join(strings.Fields(text), " ")
		} else {
			id.unknown = b.Block
		}
		groups[id] = append(groups[id], b)
	}
	return groups
}

// TextsOf returns a [Texts] that reads source files. read returns the content of a file; pkg and file are Block.Package and Block.File. Each
// file is read once.
func TextsOf(read func(pkg, file string) ([]byte, error)) Texts {
	files := map[string][]string{} // lines; nil: the file cannot be read
	return func(b Block) (string, bool) {
		name := b.Package + "\n" + b.File
		lines, known := files[name]
		if !known {
			if text, err := read(b.Package, b.File); err == nil {
				lines = strings.SplitAfter(string(text), "\n")
			}
			files[name] = lines
		}
		return cut(lines, b.Start, b.End)
	}
}

// cut returns the text between two positions; ok is false if they are not in the lines.
func cut(lines []string, from, to Position) (text string, ok bool) {
	inside := func(p Position) bool {
		return p.Line >= 1 && p.Line <= len(lines) && p.Column >= 1 && p.Column-1 <= len(lines[p.Line-1])
	}
	if !inside(from) || !inside(to) || from.compare(to) > 0 {
		return "", false
	}
	part := slices.Clone(lines[from.Line-1 : to.Line])
	part[len(part)-1] = part[len(part)-1][:to.Column-1]
	part[0] = part[0][from.Column-1:]
	return strings.Join(part, ""), true
}
