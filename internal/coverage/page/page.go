// Package page writes the coverage of inputs as one HTML file without references to other files. It shows the sources, with the statements
// that are covered and those that are not, for each line the smallest input that reaches it, and the branches with a side that no input takes.
package page

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

//go:embed page.html
var source string

var page = template.Must(template.New("page").Parse(source))

// Sources returns the content of a source file. pkg and file are the Package and the File of a [coverage.Block]. The page shows an error in
// place of the source.
type Sources func(pkg, file string) ([]byte, error)

// Branch is a branch with a side that no input takes.
type Branch struct {
	File     string // as in [coverage.Block]
	Line     int
	Sentence string   // the condition, and what never happens
	Details  []string // what the inputs do there, and what would help
	Command  string   // fuzzes towards the branch; empty: there is none
	Hopeless bool     // no input helps
}

// Write writes the page about blocks, which are in the order of [coverage.Merge]. The branches are listed in their order.
func Write(w io.Writer, title string, blocks []coverage.Reach, branches []Branch, sources Sources) error {
	d := document{Title: title, Count: coverage.Total(blocks), numbers: map[*coverage.Entry]int{}, marks: map[place]*mark{}}
	d.group(branches)
	for len(blocks) > 0 {
		n := slices.IndexFunc(blocks, func(b coverage.Reach) bool { return b.File != blocks[0].File || b.Package != blocks[0].Package })
		if n < 0 {
			n = len(blocks)
		}
		d.add(blocks[:n], sources)
		blocks = blocks[n:]
	}
	slices.SortStableFunc(d.Files, func(a, b *file) int { return cmp.Compare(b.Uncovered(), a.Uncovered()) })
	if err := page.Execute(w, d); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// document is the data of the template.
type document struct {
	Title string
	coverage.Count
	Files   []*file
	Entries []entry
	Marks   []*mark
	numbers map[*coverage.Entry]int // indexes in Entries
	marks   map[place]*mark
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// mark is a line with branches.
type mark struct {
	Number   int // from 1
	File     string
	Line     int
	Shown    bool // the line is on the page
	Hopeless bool // of all branches
	Branches []Branch
}

// group joins the branches of each line.
func (d *document) group(branches []Branch) {
	for _, b := range branches {
		m := d.marks[place{b.File, b.Line}]
		if m == nil {
			m = &mark{Number: len(d.Marks) + 1, File: b.File, Line: b.Line, Hopeless: true}
			d.marks[place{b.File, b.Line}] = m
			d.Marks = append(d.Marks, m)
		}
		m.Hopeless = m.Hopeless && b.Hopeless
		m.Branches = append(m.Branches, b)
	}
}

// file is a source file, or why its source is not there.
type file struct {
	Name string
	coverage.Count
	Parts   [][]line
	Problem string
}

// partLines is the largest number of lines in a part of a file. A browser lays out only the parts that it shows, so that it opens a file of
// 50,000 lines as fast as a short one.
const partLines = 200

// Uncovered returns the number of statements that nothing reaches.
func (f *file) Uncovered() int { return f.Statements - f.Covered }

// line is a source line. Entry is the number of its smallest input, from 1; 0: there is none. Mark has its branches; nil: it has none.
type line struct {
	Number, Entry int
	Mark          *mark
	Spans         []span
}

// span is a piece of a line of one class.
type span struct {
	Class string
	Text  string
}

// entry is an input.
type entry struct {
	Number       int
	Target, Name string
	Size         int
	Literals     []string
}

// add adds the file of the blocks.
func (d *document) add(blocks []coverage.Reach, sources Sources) {
	f := &file{Name: blocks[0].File, Count: coverage.Total(blocks)}
	d.Files = append(d.Files, f)
	text, err := sources(blocks[0].Package, blocks[0].File)
	if err != nil {
		f.Problem = err.Error()
		return
	}
	begin := lineStarts(text)
	marks := paint(text, begin, blocks)
	smallest := make([]*coverage.Reach, len(begin)+1) // by line
	for i := range blocks {
		b := &blocks[i]
		if b.Smallest == nil {
			continue
		}
		for n := b.Start.Line; n <= b.End.Line && n < len(begin); n++ {
			if old := smallest[n]; (old == nil || b.Smallest.Size < old.Smallest.Size) && shows(text, begin, marks, n) {
				smallest[n] = b
			}
		}
	}
	var lines []line
	for n := 1; n < len(begin); n++ {
		from, to := begin[n-1], begin[n]
		l := line{Number: n, Spans: spans(text[from:to], marks[from:to])}
		if b := smallest[n]; b != nil {
			l.Entry = d.number(b)
		}
		if l.Mark = d.marks[place{f.Name, n}]; l.Mark != nil {
			l.Mark.Shown = true
		}
		lines = append(lines, l)
	}
	f.Parts = slices.Collect(slices.Chunk(lines, partLines))
}

// lineStarts returns where each line begins, and the end of the text.
func lineStarts(text []byte) []int {
	list := []int{0}
	for i, c := range text {
		if c == '\n' {
			list = append(list, i+1)
		}
	}
	if list[len(list)-1] < len(text) {
		list = append(list, len(text))
	}
	return list
}

// Marks of bytes: outside of blocks, in a block that is reached, or in one that is not.
const (
	outside = iota
	reached
	missed
)

var classes = []string{outside: "", reached: "c", missed: "u"}

// paint marks the bytes of a text. Blocks of function literals lie in others and come after these.
func paint(text []byte, begin []int, blocks []coverage.Reach) []uint8 {
	marks := make([]uint8, len(text))
	at := func(p coverage.Position) int {
		if p.Line < 1 || p.Line > len(begin) {
			return len(text)
		}
		return min(len(text), begin[p.Line-1]+max(0, p.Column-1))
	}
	for _, b := range blocks {
		mark := uint8(missed)
		if b.Covered() {
			mark = reached
		}
		from, to := at(b.Start), at(b.End)
		for i := from; i < to; i++ {
			marks[i] = mark
		}
	}
	return marks
}

// shows reports whether a line has reached code in it.
func shows(text []byte, begin []int, marks []uint8, n int) bool {
	for i := begin[n-1]; i < begin[n]; i++ {
		if marks[i] == reached && !strings.ContainsRune(" \t\r\n{}", rune(text[i])) {
			return true
		}
	}
	return false
}

// spans splits a line into pieces. White space at the ends of a piece, and lone braces, have no class.
func spans(text []byte, marks []uint8) (list []span) {
	add := func(class string, piece []byte) {
		if len(piece) > 0 {
			list = append(list, span{class, strings.ToValidUTF8(string(piece), "\uFFFD")})
		}
	}
	text = bytes.TrimRight(text, "\r\n")
	for len(text) > 0 {
		n := 1
		for n < len(text) && marks[n] == marks[0] {
			n++
		}
		piece := text[:n]
		if class := classes[marks[0]]; class == "" || len(bytes.Trim(piece, blank+"{}")) == 0 {
			add("", piece)
		} else {
			code := bytes.TrimLeft(piece, blank)
			add("", piece[:len(piece)-len(code)])
			rest := bytes.TrimRight(code, blank)
			add(class, rest)
			add("", code[len(rest):])
		}
		text, marks = text[n:], marks[n:]
	}
	return list
}

// blank is white space within a line.
const blank = " \t"

// maxLiteral is how many bytes of an argument the page shows.
const maxLiteral = 2000

// number returns the number of the smallest input of a block.
func (d *document) number(b *coverage.Reach) int {
	if n, ok := d.numbers[b.Smallest]; ok {
		return n
	}
	e := entry{Number: len(d.Entries) + 1, Target: b.Target.Func, Name: b.Smallest.Name, Size: b.Smallest.Size}
	for _, v := range b.Smallest.Args {
		suffix := ""
		if v.Kind.IsBuffer() && len(v.Data) > maxLiteral {
			suffix = fmt.Sprintf(" and %d more bytes", len(v.Data)-maxLiteral)
			v.Data = v.Data[:maxLiteral]
		}
		_, literal, _ := strings.Cut(strings.TrimRight(string(input.Marshal(input.Args{v})), "\n"), "\n")
		e.Literals = append(e.Literals, literal+suffix)
	}
	d.Entries = append(d.Entries, e)
	d.numbers[b.Smallest] = e.Number
	return e.Number
}
