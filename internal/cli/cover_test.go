package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// coverBlocks returns two blocks of F and one of (*T).G in m/p, and one of H in m/q. They have 1, 2, 3 and 4 statements.
func coverBlocks() (list []coverage.Block) {
	for i, function := range []string{"F", "F", "(*T).G", "H"} {
		b := coverage.Block{
			Package: "m/p", File: "m/p/p.go", Function: function, Start: coverage.Position{Line: 10 * (i + 1), Column: 2},
			End: coverage.Position{Line: 10*(i+1) + 3, Column: 3}, Statements: i + 1,
		}
		if function == "H" {
			b.Package, b.File = "m/q", "m/q/q.go"
		}
		list = append(list, b)
	}
	return list
}

// coverReportOf returns a report of a target with one seed, which reaches the first block, and with failing entries of the corpus. The first
// of these reaches the third block, the others reach none, and code around inputs reaches none. A coverage.Set of one block is the index of
// the block as one byte.
func coverReportOf(flags *coverFlags, failing int) (c coverReport, out *bytes.Buffer) {
	r := &coverage.Replayed{
		Target: fuzz.Name{Package: "m/p", Func: "FuzzX"}, Blocks: coverBlocks(), Executed: 1,
		Entries: []coverage.Entry{{Name: "seed#0", Seed: true, Size: 1, Blocks: coverage.Set{0}}},
	}
	for i := range failing {
		e := coverage.Entry{Name: fmt.Sprintf("entry%d", i), Size: 2, Failed: "panic", Lost: i == 1}
		if i == 0 {
			e.Blocks = coverage.Set{2}
		}
		r.Entries = append(r.Entries, e)
	}
	out = &bytes.Buffer{}
	list := []*coverage.Replayed{r}
	return coverReport{env: Env{Stdout: out, Stderr: out}, flags: flags, list: list, blocks: coverage.Merge(list, flags.by)}, out
}

func TestTheTablesOfCover(t *testing.T) {
	for _, tt := range []struct {
		name    string
		flags   coverFlags
		failing int
		want    string
	}{
		{"targets and packages", coverFlags{}, 1, `
  statements         inputs  seeds  target
        4/10  40.0%       2      1  m/p FuzzX
1 input of FuzzX fails: entry0 (panic)

  statements         package
         4/6  66.7%  m/p
         0/4   0.0%  m/q
        4/10  40.0%  total
the seeds reach 1 statement, and the corpus adds 3
`},
		{"functions", coverFlags{functions: true}, 0, `
  statements         inputs  seeds  target
        1/10  10.0%       1      1  m/p FuzzX

  statements         package
         1/6  16.7%  m/p
         1/3  33.3%    p.go:10 F
         0/3   0.0%    p.go:30 (*T).G
         0/4   0.0%  m/q
         0/4   0.0%    q.go:40 H
        1/10  10.0%  total
the seeds reach 1 statement, and the corpus adds 0
`},
		{"the corpus only", coverFlags{by: coverage.Corpus}, 7, `
  statements         inputs  seeds  target
        3/10  30.0%       8      1  m/p FuzzX
7 inputs of FuzzX fail: entry0 (panic), entry1 (panic; what it reaches is not known), entry2 (panic), entry3 (panic), entry4 (panic), and 2 more (-json lists all)

  statements         package
         3/6  50.0%  m/p
         0/4   0.0%  m/q
        3/10  30.0%  total
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, out := coverReportOf(&tt.flags, tt.failing)
			c.text()
			if got := "\n" + out.String(); got != tt.want {
				t.Errorf("the output is%s\nwant%s", got, tt.want)
			}
		})
	}
}

func TestTheObjectsOfCover(t *testing.T) {
	c, out := coverReportOf(&coverFlags{}, 2)
	if err := c.json(); err != nil {
		t.Fatal(err)
	}
	want := `{"package":"m/p","target":"FuzzX","inputs":3,"seeds":1,"executed":1,"statements":10,"covered":4,` +
		`"failing":[{"name":"entry0","kind":"panic"},{"name":"entry1","kind":"panic","lost":true}]}
{"package":"m/p","statements":6,"covered":4,"by_seeds":1,"functions":[{"name":"F","file":"m/p/p.go","line":10,"statements":3,"covered":1},` +
		`{"name":"(*T).G","file":"m/p/p.go","line":30,"statements":3,"covered":3}]}
{"package":"m/q","statements":4,"covered":0,"by_seeds":0,"functions":[{"name":"H","file":"m/q/q.go","line":40,"statements":4,"covered":0}]}
`
	if got := out.String(); got != want {
		t.Errorf("the output is\n%s\nwant\n%s", got, want)
	}
}

func TestTheComparisonOfCover(t *testing.T) {
	c, out := coverReportOf(&coverFlags{earlier: earlier{title: "campaign 3"}}, 1)
	before := coverage.Merge(c.list, coverage.Seeds)
	for i := range before {
		before[i].Around = i == 3 // H was reached
	}
	cmp := coverage.Compare(before, c.blocks, coverage.Places, coverage.Places)
	c.printComparison(cmp, func(coverage.Block) (string, bool) { return "{\n\t\treturn x\n\t}", true })
	want := `since campaign 3:
  before  5 of 10 statements covered, 50.0%
  now     4 of 10 statements covered, 40.0%
  came    3 statements
  went    4 statements

+3 -0  m/p (*T).G
  + p.go:30  return x

+0 -4  m/q H
  - q.go:40  return x
`
	if got := out.String(); got != want {
		t.Errorf("the output is\n%s\nwant\n%s", got, want)
	}
	out.Reset()
	if err := c.comparisonToJSON(cmp); err != nil {
		t.Fatal(err)
	}
	want = `{"since":"campaign 3","before":{"statements":10,"covered":5},"now":{"statements":10,"covered":4},"came":3,"went":4,` +
		`"new":{"statements":0,"covered":0},"gone":{"statements":0,"covered":0},"functions":[` +
		`{"package":"m/p","name":"(*T).G","came":[{"file":"m/p/p.go","line":30,"statements":3}],"went":[]},` +
		`{"package":"m/q","name":"H","came":[],"went":[{"file":"m/q/q.go","line":40,"statements":4}]}]}` + "\n"
	if got := out.String(); got != want {
		t.Errorf("the output is\n%s\nwant\n%s", got, want)
	}
}

func TestCoverReportsAPackageThatIsLeftOutOnce(t *testing.T) {
	var stderr bytes.Buffer
	env := Env{Stderr: &stderr}
	broken := errors.New("build the test binary of m/p: no")
	failed := []coverage.Failed{
		{Target: build.Target{Name: fuzz.Name{Package: "m/p", Func: "FuzzA"}}, Err: broken}, {Target: build.Target{Name: fuzz.Name{Package: "m/p", Func: "FuzzB"}}, Err: broken},
	}
	c, _ := coverReportOf(&coverFlags{}, 0)
	code, err := (&coverFlags{}).notes(env, c.list, failed, false)
	if code != exitcode.Internal || err != nil || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "FuzzA of m/p is left out: build") {
		t.Errorf("the exit code is %d (%v), and the notes are\n%s", code, err, stderr.String())
	}
}

func TestCoverWithoutAnInputIsAUsageError(t *testing.T) {
	var stderr bytes.Buffer
	list := []*coverage.Replayed{{Target: fuzz.Name{Package: "m/p", Func: "FuzzX"}}}
	_, err := (&coverFlags{}).notes(Env{Stderr: &stderr}, list, nil, false)
	if !isUsage(err) || !strings.Contains(stderr.String(), "FuzzX of m/p has no input: no F.Add, and no file in testdata/fuzz/FuzzX") {
		t.Errorf("the error is %v, and the notes are\n%s", err, stderr.String())
	}
}
