package frontier

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// coverTool returns the blocks of a file as the cover tool of the Go distribution writes them into a program.
func coverTool(t *testing.T, pkg, file string) (list coverage.Sources) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "tool", "cover", "-mode=set", "-var=gnawBlocks", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, table, ok := bytes.Cut(out, []byte("var gnawBlocks = struct"))
	if !ok {
		t.Fatalf("the tool writes no table for %s", file)
	}
	positions := regexp.MustCompile(`(\d+), (\d+), 0x([0-9a-f]+), // \[\d+\]`).FindAllSubmatch(table, -1)
	numbers := regexp.MustCompile(`(\d+), // \d+\n`).FindAllSubmatch(table, -1)
	if len(positions) == 0 || len(positions) != len(numbers) {
		t.Fatalf("%s has %d positions and %d numbers of statements", file, len(positions), len(numbers))
	}
	number := func(text []byte, base int) int {
		n, err := strconv.ParseInt(string(text), base, 64)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	for i, p := range positions {
		columns := number(p[3], 16)
		list = append(list, coverage.SourceBlock{Block: coverage.Block{
			Package: pkg, File: pkg + "/" + filepath.Base(file), Start: coverage.Position{Line: number(p[1], 10), Column: columns & 0xffff},
			End: coverage.Position{Line: number(p[2], 10), Column: columns >> 16}, Statements: number(numbers[i][1], 10),
		}})
	}
	return list
}

// The blocks of the history know how many inputs reach them, and not which.
func TestTheHistoryHasTheRowsOfFind(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the cover tool")
	}
	const text = `package p

func F(a int) int {
	if a > 1 {
		a++
		if a > 7 {
			return 2
		}
	} else {
		a--
	}
	switch a {
	case 1:
		a = 5
	case 2:
		a = 6
		a = 8
	case 3:
		a = 7
	}
	for i := range a {
		if i > 3 {
			continue
		}
		a++
	}
	if a < 9 {
		return 1
	}
	return 3
}

var g = G()

func G() int {
	if len("a") > 1 {
		return 1
	}
	return 2
}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "p.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	// The blocks, by the line of the brace or the statement with which they begin; b is the second block of a line.
	lines := []string{"3", "4", "6", "9", "12", "13", "15", "18", "21", "21b", "22", "25", "27", "27b", "30", "35", "36", "39"}
	// The blocks that each input reaches. Only code around inputs executes G.
	reached := [][]string{
		{"3", "4", "12", "18", "21", "21b", "25", "27", "27b"},
		{"3", "9", "12", "21", "27", "27b"},
		{"3", "9", "12", "21", "27", "27b"},
	}
	var list []*coverage.Replayed
	var stored []Stored
	for n, name := range []string{"FuzzA", "FuzzB"} {
		r := &coverage.Replayed{Target: fuzz.Name{Package: "m/p", Func: name}}
		names := map[string]byte{}
		blocks := coverTool(t, "m/p", file)
		slices.SortFunc(blocks, func(a, b coverage.SourceBlock) int { return order(a.Start, b.Start) })
		if len(blocks) != len(lines) {
			t.Fatalf("the file has %d blocks, want %d", len(blocks), len(lines))
		}
		for i, b := range blocks {
			r.Blocks = append(r.Blocks, b.Block)
			names[lines[i]] = byte(i)
		}
		for i, places := range reached[n:] {
			e := coverage.Entry{Name: fmt.Sprintf("seed#%d", i), Size: i}
			var indexes []byte
			for _, at := range places {
				indexes = append(indexes, names[at])
			}
			slices.Sort(indexes)
			last := byte(0)
			for _, n := range indexes {
				e.Blocks = append(e.Blocks, n-last)
				last = n
			}
			r.Entries = append(r.Entries, e)
		}
		r.Around = coverage.Set{names["35"]}
		list = append(list, r)
		stored = append(stored, Stored{r.Target, r.Sources(), time.Unix(int64(n+1), 0), nil})
	}
	edited := time.Time{}
	read := func(pkg, file string) ([]byte, time.Time, error) {
		if pkg != "m/p" || file != "m/p/p.go" {
			return nil, edited, fs.ErrNotExist
		}
		return []byte(text), edited, nil
	}
	rowsOf := func(f *Frontier) (list []string) {
		for _, r := range f.Rows {
			list = append(list, fmt.Sprintf("%s:%d:%d %s; %d behind, %d inputs of %v, aim %d", r.File, r.Line, r.Column, r.Sentence(), r.Behind, r.Inputs, r.Targets, r.Aim()))
		}
		return list
	}
	want := Find(list, loadIn(t, dir))
	got, changed := FindStored(History{Targets: stored}, read)
	if len(want.Rows) < 5 || len(changed) > 0 || !slices.Equal(rowsOf(got), rowsOf(want)) {
		t.Errorf("the rows of the history are\n%s\nwant\n%s\nchanged: %v", strings.Join(rowsOf(got), "\n"), strings.Join(rowsOf(want), "\n"), changed)
	}
	none := func(string, string) ([]byte, time.Time, error) { return nil, edited, errors.New("no") }
	if got, changed := FindStored(History{Targets: stored}, none); len(got.Rows) > 0 || len(changed) > 0 {
		t.Errorf("a file that cannot be read has %d rows; changed: %v", len(got.Rows), changed)
	}
	edited = time.Unix(2, 0) // after the first target was built
	if got, changed := FindStored(History{Targets: stored}, read); len(got.Rows) > 0 || !slices.Equal(changed, []string{"m/p/p.go"}) {
		t.Errorf("a file that was changed later has %d rows; changed: %v", len(got.Rows), changed)
	}
	for i := range stored {
		stored[i].Files = coverage.Files{"m/p/p.go": sha256.Sum256([]byte(text))}
	}
	if got, changed := FindStored(History{Targets: stored}, read); len(changed) > 0 || !slices.Equal(rowsOf(got), rowsOf(want)) {
		t.Errorf("a file that was written later with the same content has %d rows, want %d; changed: %v", len(got.Rows), len(want.Rows), changed)
	}
	edited, stored[1].Files["m/p/p.go"] = time.Time{}, sha256.Sum256([]byte("other"))
	if got, changed := FindStored(History{Targets: stored}, read); len(got.Rows) > 0 || !slices.Equal(changed, []string{"m/p/p.go"}) {
		t.Errorf("a file whose content is another one for a target has %d rows; changed: %v", len(got.Rows), changed)
	}
}

// The history knows numbers of inputs. A row needs an input that certainly evaluates the condition.
func TestARowOfTheHistoryNeedsACertainInput(t *testing.T) {
	const text = "package p\n\nfunc F(a int) {\n\tswitch a {\n\tcase 1:\n\t\ta = 1\n\tcase 2:\n\t\ta = 2\n\tcase 3:\n\t\ta = 3\n\tcase 4:\n\t\ta = 4\n\t}\n}\n"
	for _, tt := range []struct {
		name  string
		cases [4]int // inputs that reach each case; 3 inputs reach the switch
		want  string
	}{
		{"more inputs than the cases before it have", [4]int{1, 1, 0, 0}, "never case 3, 1 inputs; never case 4, 1 inputs"},
		{"as many inputs as the cases before it may have", [4]int{2, 1, 0, 0}, ""},
		{"the same inputs in several cases", [4]int{3, 2, 0, 0}, ""},
		{"an input that reaches a later case", [4]int{2, 1, 0, 2}, "never case 3, 2 inputs"},
		{"all inputs", [4]int{0, 0, 0, 3}, "never case 1, 3 inputs; never case 2, 3 inputs; never case 3, 3 inputs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			block := func(line, column, toLine, toColumn, inputs int) coverage.SourceBlock {
				b := coverage.SourceBlock{Block: coverage.Block{
					Package: "p", File: "p/p.go", Start: coverage.Position{Line: line, Column: column}, End: coverage.Position{Line: toLine, Column: toColumn}, Statements: 1,
				}, Count: inputs}
				if inputs > 0 {
					b.Entry = "seed#0"
				}
				return b
			}
			blocks := coverage.Sources{block(3, 15, 4, 11, 3)}
			for i, n := range tt.cases {
				blocks = append(blocks, block(5+2*i, 9, 6+2*i, 8, n))
			}
			f, changed := FindStored(History{Targets: []Stored{{Target: fuzz.Name{Func: "FuzzF"}, Blocks: blocks}}}, func(string, string) ([]byte, time.Time, error) { return []byte(text), time.Time{}, nil })
			var got []string
			for _, r := range f.Rows {
				got = append(got, fmt.Sprintf("never %s, %d inputs", r.Missing, r.Inputs))
			}
			slices.Sort(got)
			if strings.Join(got, "; ") != tt.want || len(changed) > 0 {
				t.Errorf("the rows are %q, want %q; changed: %v", got, tt.want, changed)
			}
		})
	}
}

// historyOf returns the blocks of a file with an if, a case and an else, and what gnaw frontier has found about them.
func historyOf(text string, reached int) (h History, read coverage.ReadSource) {
	at := func(line, column, toLine, toColumn, inputs int) coverage.SourceBlock {
		b := coverage.SourceBlock{Block: coverage.Block{
			Package: "p", File: "p/p.go", Function: "F", Start: coverage.Position{Line: line, Column: column}, End: coverage.Position{Line: toLine, Column: toColumn}, Statements: 1,
		}, Count: inputs}
		if inputs > 0 {
			b.Entry = "seed#0"
		}
		return b
	}
	h.Targets = []Stored{{Target: fuzz.Name{Package: "p", Func: "FuzzF"}, Blocks: coverage.Sources{
		at(3, 15, 4, 12, 2), at(4, 12, 6, 3, 0), at(7, 2, 7, 12, 2), at(7, 12, 9, 3, reached),
	}}}
	return h, func(string, string) ([]byte, time.Time, error) { return []byte(text), time.Time{}, nil }
}

func TestTheRowsOfTheHistoryAreThoseOfGnawFrontier(t *testing.T) {
	const text = "package p\n\nfunc F(a int) {\n\tif a > 10 {\n\t\ta = 1\n\t}\n\tif a > 20 {\n\t\ta = 2\n\t}\n}\n"
	found := func(line int, class int, help string) *Row {
		return &Row{
			File: "p/p.go", Line: line, Column: 5, Condition: fmt.Sprintf("a > %d", 10*(line-1)/3), Missing: "true", Behind: 1, Inputs: 2, Class: class, Times: 7,
			Chain: []string{"FuzzF", "F"}, Compared: &Operands{Seen: "9", Wanted: "10", Place: &Place{1, 0, 2, "decimal"}}, Help: Help{Kind: Number, Text: help},
		}
	}
	operand := &Row{File: "p/p.go", Line: 7, Column: 9, Condition: "b", Missing: "true", Of: "a || b", Class: classOperand}
	for _, tt := range []struct {
		name    string
		text    string // of the file now
		reached int    // inputs that reach the second body
		same    bool
		want    string
	}{
		{"in the same state", text, 0, true, "7 second; 4 first; 7 "},
		{"in another state, without the side that an input takes now", text, 1, false, "4 first"},
		{"not those of a file that was changed", strings.Replace(text, "10", "11", 1), 0, false, "4 ; 7 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := historyOf(text, 0)
			data, err := (&Kept{
				At: time.Unix(7, 0), State: State(before.Targets), Files: coverage.Files{"p/p.go": sha256.Sum256([]byte(text))},
				Rows: []*Row{found(7, classValue, "second"), found(4, classUnknown, "first"), operand},
			}).Encode()
			if err != nil {
				t.Fatal(err)
			}
			h, read := historyOf(tt.text, tt.reached)
			if h.Kept, err = decodeKept(data); err != nil {
				t.Fatal(err)
			}
			f, _ := FindStored(h, read)
			var got []string
			for _, r := range f.Rows {
				got = append(got, fmt.Sprintf("%d %s", r.Line, r.Text))
				if r.Text != "" && (r.Compared == nil || *r.Compared.Place != Place{1, 0, 2, "decimal"} || len(r.Chain) != 2 || tt.same != (r.Times == 7)) {
					t.Errorf("line %d has %+v", r.Line, r)
				}
			}
			if strings.Join(got, "; ") != tt.want || f.Same != tt.same || f.Kept.IsZero() != (tt.text != text) {
				t.Errorf("the rows are %q (the same state: %v, found %v), want %q", got, f.Same, f.Kept, tt.want)
			}
		})
	}
}

func FuzzDecodeKept(f *testing.F) {
	data, err := (&Kept{State: "s", Rows: []*Row{{File: "p/p.go", Compared: &Operands{Place: &Place{Argument: 1}}}}}).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := decodeKept(data)
		if err != nil {
			return
		}
		again, err := k.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := decodeKept(again); err != nil || len(twice.Rows) != len(k.Rows) || twice.State != k.State {
			t.Errorf("the decoded result is %+v (%v), want %+v", twice, err, k)
		}
	})
}
